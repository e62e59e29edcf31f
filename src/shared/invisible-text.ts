/** Spaces, control and format characters, and others that show nothing, such as the fillers of Hangul. */
const NOTHING_VISIBLE = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nobody can see what a text has: it is empty, or has only characters without ink. */
export function isInvisible(text: string): boolean {
  return NOTHING_VISIBLE.test(text);
}
