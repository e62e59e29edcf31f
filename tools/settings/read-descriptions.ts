import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The comment of a property, and the heading above it if it is the first of its group. */
export interface Description {
  heading?: string;
  meaning: string;
}

/** The comments of the properties of classes with settings, by name. */
export function readDescriptions(paths: string[]): Map<string, Description> {
  return new Map(paths.flatMap(descriptionsIn));
}

function descriptionsIn(path: string): [string, Description][] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => members.filter(ts.isPropertyDeclaration))
    .map((property) => [property.name.getText(source), descriptionOf(property, source)]);
}

function descriptionOf(property: ts.PropertyDeclaration, { text }: ts.SourceFile): Description {
  const comments = ts.getLeadingCommentRanges(text, property.getFullStart()) ?? [];
  const description: Description = { meaning: '' };
  for (const { kind, pos, end } of comments) {
    const comment = text.slice(pos, end);
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) description.heading = comment.replace(/^\/\/ */, '');
    else
      description.meaning = comment
        .replaceAll(/^\/\*+|\s*\*\/$|\n *\*/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
  }
  return description;
}
