import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import { AdministratorPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { Language } from '../../texts/languages.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Banner } from '../../web/components/banner.js';
import type { ButtonLook } from '../../web/components/button.js';
import { Button, LinkButton } from '../../web/components/button.js';
import { CardPart, CardStrip, PartedCard, Step, Steps } from '../../web/components/card.js';
import { FormErrors } from '../../web/components/fields.js';
import { Heading } from '../../web/components/heading.js';
import { Layout } from '../../web/components/layout.js';
import {
  Data,
  FlashMessage,
  Form,
  Link,
  Sentence,
  UNTRANSLATED,
  useSite,
  useTexts,
} from '../../web/components/site.js';
import type { OwnRejectedForm } from '../../web/forms/form.js';
import { PostForm } from '../../web/forms/form.js';
import { OnlyIfMailIsSent } from '../../web/pages/only-if.js';
import { OverviewNotice } from '../../web/pages/overview-notices.js';
import { PageController, PageResponse, SeeOther } from '../../web/pages/page-controller.js';
import { CurrentUser, Flash, PageLanguage } from '../../web/pages/parameters.js';
import type { FirstSteps } from './first-steps.service.js';
import { FirstStepsService } from './first-steps.service.js';

const PATH = '/admin/first_steps';

/** The settings and the command that the steps name. */
const NAMES = { address: 'PUBLIC_URL', mail: 'MAIL_URL', backup: 'backup' };

/** What to do after the first administrator was created, ticked as it is done. */
@PageController()
export class FirstStepsController {
  constructor(private readonly steps: FirstStepsService) {}

  @Get('admin/first_steps')
  @AdministratorPage()
  async show(
    @CurrentUser() user: User,
    @Req() { host }: Request,
    @Flash({ mail: 'steps.mailWasSent' }) flash: TextKey | undefined,
  ): Promise<PageResponse | SeeOther> {
    const steps = await this.steps.of(user, host);
    return steps ? new PageResponse(<ToDo steps={steps} flash={flash} />) : new SeeOther('/admin');
  }

  @PostForm('admin/first_steps/mail', {
    again: async (page: FirstStepsController, { user, request }: OwnRejectedForm) => (
      <ToDo steps={await page.steps.of(user, request.host)} />
    ),
  })
  @AdministratorPage()
  @OnlyIfMailIsSent()
  async sendMail(@CurrentUser() user: User, @PageLanguage() language: Language): Promise<SeeOther> {
    await this.steps.sendTestMail(user, language);
    return new SeeOther(`${PATH}?done=mail`);
  }

  /** Backups of a database server are not made by a command of ours, so nobody else knows of them. */
  @PostForm('admin/first_steps/backup')
  @AdministratorPage()
  async confirmBackup(): Promise<SeeOther> {
    await this.steps.record('backup');
    return new SeeOther(PATH);
  }

  @PostForm('admin/first_steps/hide')
  @AdministratorPage()
  async hide(): Promise<SeeOther> {
    await this.steps.record('hidden');
    return new SeeOther('/admin');
  }

  @OverviewNotice()
  async notice({ user, host }: Request) {
    const steps = user && (await this.steps.of(user, host));
    return steps ? <Notice steps={steps} /> : null;
  }
}

interface OneStep {
  title: TextKey;
  isDone: boolean;
  state: ComponentChildren;
  /** What leads to it, if it is not done. */
  action?: (look: ButtonLook) => ComponentChildren;
}

const COUNT = 6;

/** The first one is done by whoever can see it. */
function countDone({ address, isProtected, hasMail, hasBackup, hasOthers }: FirstSteps): number {
  const others = [address !== undefined, isProtected, hasMail, hasBackup, hasOthers];
  return 1 + others.filter(Boolean).length;
}

function Notice({ steps }: { steps: FirstSteps }) {
  const t = useTexts();
  return (
    <Banner>
      <Link to={PATH}>{t.text('steps.heading')}</Link>:{' '}
      {t.text('steps.done', { done: countDone(steps), count: COUNT })}
    </Banner>
  );
}

function ToDo({ steps, flash }: { steps?: FirstSteps; flash?: TextKey }) {
  const { brand } = useSite();
  const t = useTexts();
  const all = useSteps(steps ?? { isProtected: false, hasMail: false, hasBackup: false, hasOthers: false });
  const done = all.filter(({ isDone }) => isDone).length;
  const next = all.find(({ isDone, action }) => !isDone && action);
  const title = t.text('steps.title', { site: brand.name });
  return (
    <Layout title={title}>
      <Heading
        title={title}
        lede={done < COUNT ? t.text('steps.lede', { count: COUNT - done }) : undefined}
      />
      <FlashMessage text={flash} />
      <FormErrors />
      <PartedCard label="steps.heading">
        <CardPart>
          <h2>{t.text('steps.done', { done, count: COUNT })}</h2>
          <p class="gap-sm">
            <progress value={done} max={COUNT} aria-label={t.text('steps.progress')} />
          </p>
        </CardPart>
        <Steps>
          {all.map((step) => (
            <Step
              key={step.title}
              title={t.text(step.title)}
              state={step.state}
              isDone={step.isDone}
              action={step.isDone ? undefined : step.action?.(step === next ? 'primary' : 'secondary')}
            />
          ))}
        </Steps>
        <CardStrip>
          <LinkButton look="quiet" icon="send" to="/">
            {t.text('steps.share')}
          </LinkButton>
          <Form to={`${PATH}/hide`}>
            <Button look="quiet">{t.text('steps.hide')}</Button>
          </Form>
        </CardStrip>
      </PartedCard>
    </Layout>
  );
}

function useSteps({ address, isProtected, hasMail, hasBackup, hasOthers }: FirstSteps): OneStep[] {
  const { email = '', sendsMail } = useSite();
  const t = useTexts();
  const own = <Data>{email}</Data>;
  return [
    { title: 'steps.administrator', isDone: true, state: own },
    {
      title: 'steps.address',
      isDone: address !== undefined,
      state: address ? (
        <Sentence of="steps.addressDone" url={<Code>{address}</Code>} />
      ) : (
        <Sentence of="steps.addressToDo" setting={<Code>{NAMES.address}</Code>} />
      ),
    },
    {
      title: 'steps.protect',
      isDone: isProtected,
      state: t.text(isProtected ? 'steps.protectDone' : 'steps.protectToDo'),
      action: (look) => (
        <LinkButton look={look} to="/users/second_factor" aria-label={labelled('row.setUp', 'steps.protect')}>
          {t.text('row.setUp')}
        </LinkButton>
      ),
    },
    {
      title: 'steps.mail',
      isDone: hasMail,
      state: sendsMail ? (
        <Sentence of={hasMail ? 'steps.mailDone' : 'steps.mailToDo'} email={own} />
      ) : (
        <Sentence of="steps.mailOff" setting={<Code>{NAMES.mail}</Code>} />
      ),
      action: sendsMail
        ? (look) => (
            <Form to={`${PATH}/mail`}>
              <Button look={look}>{t.text('steps.mailSend')}</Button>
            </Form>
          )
        : undefined,
    },
    {
      title: 'steps.backup',
      isDone: hasBackup,
      state: hasBackup ? (
        t.text('steps.backupDone')
      ) : (
        <Sentence of="steps.backupToDo" command={<Code>{NAMES.backup}</Code>} />
      ),
      action: (look) => (
        <Form to={`${PATH}/backup`}>
          <Button look={look}>{t.text('steps.backupIsMade')}</Button>
        </Form>
      ),
    },
    {
      title: 'steps.invite',
      isDone: hasOthers,
      state: t.text(hasOthers ? 'steps.inviteDone' : 'steps.inviteToDo'),
      action: (look) => (
        <LinkButton look={look} to="/admin/accounts?invite">
          {t.text('steps.inviteOpen')}
        </LinkButton>
      ),
    },
  ];

  function labelled(action: TextKey, step: TextKey): string {
    return `${t.text(action)}: ${t.text(step)}`;
  }
}

function Code({ children }: { children: string }) {
  return <code {...UNTRANSLATED}>{children}</code>;
}
