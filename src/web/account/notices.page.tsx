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
import { Banner } from '../components/banner.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Checkbox } from '../components/fields.js';
import { BackLink, Heading } from '../components/heading.js';
import { Layout } from '../components/layout.js';
import { NoticeBoxes } from '../components/notice-events.js';
import { FlashMessage, Form, useTexts, Data, Sentence } from '../components/site.js';

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
    <Layout title={t.text('notices.title')} within="/users/edit">
      <BackLink to="/users/edit" text="secondFactor.back" />
      <Heading title={t.text('notices.title')} />
      <FlashMessage text={flash} />
      {chosen ? (
        <Form to="/users/notices">
          <Card title="notices.received">
            <p>
              <Sentence of="notices.intro" email={<Data>{email}</Data>} />
            </p>
            <div class="gap-sm">
              <NoticeBoxes chosen={chosen} />
            </div>
          </Card>
          <Card title="notices.sent">
            <Checkbox
              name="named"
              label={<Sentence of="notices.named" email={<Data>{email}</Data>} />}
              hint={t.text('notices.namedHint')}
              checked={namedInMails}
            />
          </Card>
          <p class="gap-top">
            <Button look="primary">{t.text('notices.submit')}</Button>
          </p>
        </Form>
      ) : (
        <Banner>{t.text('notices.unavailable')}</Banner>
      )}
    </Layout>
  );
}
