/** The sign-in page for another tab, which ends on a page that sends the visitor back to this one. */
export function signInPage(form: HTMLFormElement): string {
  return new URL('users/sign_in?next=%2Fusers%2Fsigned_in', form.action).href;
}
