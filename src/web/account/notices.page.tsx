import { Body, Get } from '@nestjs/common';
import { SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import { NOTICE_EVENTS, noticeBits } from '../../pushes/push/notice-events.js';
import type { FormFields } from '../components/filled-form.js';
import { PostForm } from '../forms/form.js';
import { PageController, PageResponse, SeeOther, ReturnAfterSignIn } from '../pages/page-controller.js';
import { CurrentUser, Flash, PageLanguage } from '../pages/parameters.js';
import type { Language } from '../../texts/languages.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Checkbox } from '../components/fields.js';
import { Layout } from '../components/layout.js';
import { NoticeBoxes } from '../components/notice-events.js';
import { FlashMessage, Form, useTexts, Data, Sentence, LinkLine } from '../components/site.js';

/**
 * About which events a user gets mails when a push does not say, in the language of this page, and whether mails with
 * links say that they are from the user.
 */
@PageController()
export class NoticesController {
  constructor(
    private readonly users: UsersService,
    private readonly rules: PushRules,
  ) {}

  @Get('users/notices')
  @ReturnAfterSignIn()
  @SignedInPage()
  show(
    @CurrentUser() user: User,
    @Flash({ saved: 'notices.saved' }) flash: TextKey | undefined,
  ): PageResponse {
    return new PageResponse(<Notices user={user} chosen={this.rules.defaultNotices(user)} flash={flash} />);
  }

  @PostForm('users/notices')
  @SignedInPage()
  async save(
    @CurrentUser() user: User,
    @Body() form: FormFields,
    @PageLanguage() language: Language,
  ): Promise<SeeOther> {
    const chosen = NOTICE_EVENTS.filter((event) => form[event] !== undefined);
    await this.users.setNotices(user, {
      notifyOn: noticeBits(chosen),
      language,
      namedInMails: form.named !== undefined,
    });
    return new SeeOther('/users/notices?done=saved');
  }
}

interface NoticesProps {
  user: Pick<User, 'email' | 'namedInMails'>;
  /** Undefined when no mails are sent to this account. */
  chosen?: NoticeEvent[];
  flash?: TextKey;
}

/** The mails that a user gets and sends. */
function Notices({ user: { email, namedInMails }, chosen, flash }: NoticesProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('notices.title')}>
      <LinkLine class="back" to="/users/edit" text="notices.back" />
      <h1>{t.text('notices.title')}</h1>
      <FlashMessage text={flash} />
      {chosen ? (
        <section class="card">
          <Form to="/users/notices">
            <h2>{t.text('notices.received')}</h2>
            <p>
              <Sentence of="notices.intro" email={<Data>{email}</Data>} />
            </p>
            <NoticeBoxes chosen={chosen} />
            <h2>{t.text('notices.sent')}</h2>
            <Checkbox
              name="named"
              label={<Sentence of="notices.named" email={<Data>{email}</Data>} />}
              hint={t.text('notices.namedHint')}
              checked={namedInMails}
            />
            <button>{t.text('notices.submit')}</button>
          </Form>
        </section>
      ) : (
        <p>{t.text('notices.unavailable')}</p>
      )}
    </Layout>
  );
}
