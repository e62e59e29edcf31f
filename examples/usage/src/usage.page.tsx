import { Get } from '@nestjs/common';
import type { OwnRejectedForm, TextKey } from 'sealpush';
import {
  Button,
  CurrentUser,
  FlashMessage,
  Flash,
  Form,
  FormErrors,
  Heading,
  InMenu,
  Layout,
  PageController,
  PageResponse,
  PostForm,
  SeeOther,
  SignedInPage,
  User,
  useTexts,
} from 'sealpush';
import { UsageService } from './usage.service.js';
import { USAGE } from './usage.texts.js';

@PageController()
export class UsagePageController {
  constructor(private readonly usage: UsageService) {}

  @Get('usage')
  @InMenu({ main: { text: USAGE.title, position: 35, icon: 'pulse' } })
  @SignedInPage()
  async show(
    @CurrentUser() user: User,
    @Flash({ send: USAGE.sent }) flash: TextKey | undefined,
  ): Promise<PageResponse> {
    return new PageResponse(await this.view(user, flash));
  }

  @PostForm('usage/send', {
    again: (page: UsagePageController, { user }: OwnRejectedForm) => page.view(user),
  })
  @SignedInPage()
  async send(@CurrentUser() user: User): Promise<SeeOther> {
    await this.usage.send(user);
    return new SeeOther('/usage?done=send');
  }

  async view(user: User, flash?: TextKey) {
    const pushes = await this.usage.pushesOf(user.id);
    return <Usage pushes={pushes} email={this.usage.maySend(user) ? user.email : undefined} flash={flash} />;
  }
}

interface UsageProps {
  pushes: number;
  /** Where it can be sent to. */
  email?: string;
  flash?: TextKey;
}

function Usage({ pushes, email, flash }: UsageProps) {
  const t = useTexts();
  return (
    <Layout title={t.text(USAGE.title)}>
      <Heading title={t.text(USAGE.title)} />
      <FlashMessage text={flash} />
      <FormErrors />
      <p>{t.text(USAGE.pushes, { count: pushes })}</p>
      {email !== undefined && (
        <Form to="/usage/send">
          <Button>{t.text(USAGE.send, { email })}</Button>
        </Form>
      )}
    </Layout>
  );
}
