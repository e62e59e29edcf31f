/** What stands for a parameter that is only text. */
export type Value = string | number;

/** What makes an element of the content between two tags, such as a link. */
export type Markup = (content: unknown[]) => unknown;

/** Of a text without parameters. */
export type None = undefined;

declare const parameters: unique symbol;

type AnyParameters = Record<string, Value | Markup> | None;

/** The key of a text of a module, which `declareTexts` returns. */
export type DeclaredText<Parameters = AnyParameters> = string & { readonly [parameters]: Parameters };

/**
 * The parameters of a message in ICU MessageFormat: those of a literal, otherwise any. Braces lead by turns from text into
 * a parameter, and out of it or into one of its forms, which is text again.
 */
export type ParametersIn<Message extends string> = string extends Message
  ? AnyParameters
  : Flat<InText<Message, unknown>>;

type InText<Message extends string, Found> =
  AtBrace<Message> extends [infer Text extends string, infer Brace, infer Rest extends string]
    ? Brace extends '{'
      ? InParameter<Rest, Found & TagsIn<Text>>
      : Brace extends '}'
        ? AfterForm<Rest, Found & TagsIn<Text>>
        : Found & TagsIn<Text>
    : never;

type InParameter<Message extends string, Found> =
  AtBrace<Message> extends [infer Head extends string, unknown, infer Rest extends string]
    ? InText<Rest, Found & ParameterOf<Head>>
    : never;

type AfterForm<Message extends string, Found> =
  AtBrace<Message> extends [unknown, unknown, infer Rest extends string] ? InText<Rest, Found> : never;

/** What is before the first brace, the brace, and what is after it. */
type AtBrace<Message extends string> = Message extends `${infer Before}{${infer After}`
  ? Before extends `${infer Shorter}}${infer Rest}`
    ? [Shorter, '}', `${Rest}{${After}`]
    : [Before, '{', After]
  : Message extends `${infer Before}}${infer After}`
    ? [Before, '}', After]
    : [Message, '', ''];

type ParameterOf<Head extends string> = Head extends `${infer Name},${infer Format}`
  ? Record<
      Trimmed<Name>,
      Trimmed<Format> extends `${'number' | 'plural' | 'selectordinal'}${string}` ? number : Value
    >
  : Record<Trimmed<Head>, Value>;

type TagsIn<Text extends string> = Text extends `${string}<${infer Tag}>${infer Rest}`
  ? TagsIn<Rest> & (Tag extends `/${string}` ? unknown : Record<Tag, Markup>)
  : unknown;

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trimmed<Rest> : Text;

type Flat<Found> = keyof Found extends never ? None : { [Name in keyof Found]: Found[Name] };
