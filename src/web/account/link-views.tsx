import { Body, NotFoundException } from '@nestjs/common';
import { PublicPage } from '../../auth/access.decorators.js';
import { MAX_EMAIL } from '../../auth/entities/user.entity.js';
import { NarrowPage } from '../components/layout.js';
import { LinkButton, SubmitButton } from '../components/button.js';
import { Card } from '../components/card.js';
import { UnderLetter } from '../components/letter.js';
import { useTexts, Form, useSite, Data, Sentence } from '../components/site.js';
import type { FormFields } from '../components/filled-form.js';
import { PostForm } from '../forms/form.js';
import { PageController, PageResponse } from '../pages/page-controller.js';
import { FormErrors, NewPassword } from '../components/fields.js';

const MAILS = ['mailSent.signUp', 'mailSent.join', 'mailSent.newPassword'] as const;

/** Shows the page after a request for a mail in another language, and sends nothing. It says what it is sent. */
@PageController()
export class MailSentController {
  @PostForm('users/mail_sent')
  @PublicPage()
  show(@Body() { of: wanted, email = '' }: FormFields): PageResponse {
    const of = MAILS.find((known) => known === wanted);
    if (!of) throw new NotFoundException();
    return new PageResponse(<MailSent of={of} email={email.slice(0, MAX_EMAIL)} />);
  }
}

/** What follows a request for a mail: the same whoever has an account. */
export function MailSent({ of, email }: { of: (typeof MAILS)[number]; email: string }) {
  const t = useTexts();
  return (
    <NarrowPage
      title={t.text('mailSent.title')}
      lede={<Sentence of={of} email={<Data>{email}</Data>} />}
      languageForm={{ to: '/users/mail_sent', fields: { of, email } }}
    >
      <UnderLetter>
        <p>{t.text('mailSent.none')}</p>
        <p>
          <LinkButton look="quiet" to="/users/sign_in">
            {t.text('forgotten.signIn')}
          </LinkButton>
        </p>
      </UnderLetter>
    </NarrowPage>
  );
}

interface ChoosePasswordProps {
  email: string;
  /** Where it leads to afterwards, if the form says that. */
  next?: string;
}

/** The page of a link by which a person sets the password of their account. */
export function ChoosePassword({ email, next }: ChoosePasswordProps) {
  const { path } = useSite();
  const t = useTexts();
  return (
    <NarrowPage
      title={t.text('choosePassword.title')}
      lede={<Sentence of="choosePassword.intro" email={<Data>{email}</Data>} />}
      isForRecipient
    >
      <FormErrors isShort />
      <Card label="choosePassword.title">
        <Form to={path}>
          <input type="hidden" autocomplete="username" value={email} />
          {next !== undefined && <input type="hidden" name="next" value={next} />}
          <NewPassword
            name="new_password"
            label={t.text('account.newPassword')}
            hint={t.text('signUp.passwordHint')}
            focusesOnError
          />
          <SubmitButton>{t.text('choosePassword.submit')}</SubmitButton>
        </Form>
      </Card>
    </NarrowPage>
  );
}
