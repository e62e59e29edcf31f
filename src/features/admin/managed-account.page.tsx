import type { PipeTransform } from '@nestjs/common';
import { Body, Get, Injectable } from '@nestjs/common';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import type { NewLink } from '../../auth/links/password-links.service.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import { IdentityRemoval } from '../../auth/users/identity-removal.js';
import { SecondFactorsService } from '../../auth/second-factor/second-factors.service.js';
import type { AccountGroup } from '../../auth/entities/account-group.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountGroupsService } from '../../auth/groups/account-groups.service.js';
import { AccountRemovalService } from '../../pushes/account-removal/account-removal.service.js';
import type { Language } from '../../texts/languages.js';
import { AdministratorPage } from '../../auth/access.decorators.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import { OnlyIfMailIsSent } from '../../web/pages/only-if.js';
import { Flash, IdInPath, PageLanguage } from '../../web/pages/parameters.js';
import type { FormFields } from '../../web/components/filled-form.js';
import type { ShownAgain } from '../../web/forms/form.js';
import { PostConfirmedForm, PostReauthenticatedForm } from '../../web/forms/form.js';
import {
  PageController,
  PageResponse,
  ReturnAfterSignIn,
  SeeOther,
} from '../../web/pages/page-controller.js';
import { useForm } from '../../web/components/filled-form.js';
import { FormErrors, ReauthenticationFields } from '../../web/components/fields.js';
import type { Translator } from '../../texts/translator.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Banner } from '../../web/components/banner.js';
import { Button, Buttons } from '../../web/components/button.js';
import { SectionRow, SectionRows } from '../../web/components/card.js';
import { BackLink, Heading } from '../../web/components/heading.js';
import type { IconName } from '../../web/components/icon.js';
import { Layout } from '../../web/components/layout.js';
import { LinkToCopy } from '../../web/components/copy.js';
import { FlashMessage, Form, useSite, useTexts, Data, Sentence } from '../../web/components/site.js';
import { Tag } from '../../web/components/table.js';
import { GroupChoice } from './groups.page.js';
import { DOT, listedCount, TextWithTime } from '../../web/components/words.js';

/** What was done, as the pages of accounts say it. */
export const DONE = {
  invite: 'admin.doneInvite',
  send_link: 'admin.doneSendLink',
  disable: 'admin.doneDisable',
  enable: 'admin.doneEnable',
  promote: 'admin.donePromote',
  demote: 'admin.doneDemote',
  reset_second_factor: 'admin.doneResetFactor',
  unlink: 'admin.doneUnlink',
  group: 'admin.doneGroup',
  delete: 'admin.doneDelete',
} as const;

/** Finds an account by its id; an unknown one is a 404. */
@Injectable()
class AccountPipe implements PipeTransform<string, Promise<User>> {
  constructor(private readonly administration: AccountAdministration) {}

  transform(id: string): Promise<User> {
    return this.administration.findById(id);
  }
}

/** The account that the path names, as a parameter of a handler. */
const AccountInPath = () => IdInPath(AccountPipe);

const FORM: ShownAgain<AccountActionsController> = {
  again: (page, { request }) => page.viewAgain(String(request.params.id)),
};

/**
 * The page of an account, and what administrators do to it. Every action requires a reauthentication in the last ten minutes, and the
 * only one that nobody can undo their password in any case.
 */
@PageController()
export class AccountActionsController {
  constructor(
    private readonly administration: AccountAdministration,
    private readonly administrators: AdministratorsService,
    private readonly links: PasswordLinksService,
    private readonly secondFactors: SecondFactorsService,
    private readonly identityRemoval: IdentityRemoval,
    private readonly removal: AccountRemovalService,
    private readonly pushes: OwnPushesService,
    private readonly groups: AccountGroupsService,
  ) {}

  @Get('admin/accounts/:id')
  @ReturnAfterSignIn()
  @QueuedByAccount()
  @AdministratorPage()
  async show(@AccountInPath() user: User, @Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return new PageResponse(await this.view(user, { flash }));
  }

  /** The response shows the link: see AccountsController. */
  @PostReauthenticatedForm('admin/accounts/:id/password_link', FORM)
  @AdministratorPage()
  async createPasswordLink(
    @AccountInPath() user: User,
    @CurrentVisitor() { baseUrl }: Visitor,
  ): Promise<PageResponse> {
    const link = linkFor(await this.links.create(user), baseUrl);
    return new PageResponse(await this.view(user, { link }), 201);
  }

  @PostReauthenticatedForm('admin/accounts/:id/send_password_link', FORM)
  @AdministratorPage()
  @OnlyIfMailIsSent()
  async sendPasswordLink(@AccountInPath() user: User, @PageLanguage() language: Language): Promise<SeeOther> {
    await this.links.mail(user, language);
    return new SeeOther(`/admin/accounts/${user.id}?done=send_link`);
  }

  @PostReauthenticatedForm('admin/accounts/:id/disable', FORM)
  @AdministratorPage()
  async disable(@AccountInPath() user: User, @PageLanguage() language: Language): Promise<SeeOther> {
    await this.administration.disable(user, {}, language);
    return new SeeOther(`/admin/accounts/${user.id}?done=disable`);
  }

  @PostReauthenticatedForm('admin/accounts/:id/enable', FORM)
  @AdministratorPage()
  async enable(@AccountInPath() user: User): Promise<SeeOther> {
    await this.administration.enable(user);
    return new SeeOther(`/admin/accounts/${user.id}?done=enable`);
  }

  @PostReauthenticatedForm('admin/accounts/:id/promote', FORM)
  @AdministratorPage()
  async promote(@AccountInPath() user: User, @PageLanguage() language: Language): Promise<SeeOther> {
    await this.administrators.promote(user, language);
    return new SeeOther(`/admin/accounts/${user.id}?done=promote`);
  }

  @PostReauthenticatedForm('admin/accounts/:id/demote', FORM)
  @AdministratorPage()
  async demote(@AccountInPath() user: User): Promise<SeeOther> {
    await this.administrators.demote(user);
    return new SeeOther(`/admin/accounts/${user.id}?done=demote`);
  }

  @PostReauthenticatedForm('admin/accounts/:id/reset_second_factor', FORM)
  @AdministratorPage()
  async resetSecondFactor(
    @AccountInPath() user: User,
    @PageLanguage() language: Language,
  ): Promise<SeeOther> {
    await this.secondFactors.reset(user, language);
    return new SeeOther(`/admin/accounts/${user.id}?done=reset_second_factor`);
  }

  @PostReauthenticatedForm('admin/accounts/:id/unlink', FORM)
  @AdministratorPage()
  async unlink(@AccountInPath() user: User): Promise<SeeOther> {
    await this.identityRemoval.unlink(user);
    return new SeeOther(`/admin/accounts/${user.id}?done=unlink`);
  }

  @PostReauthenticatedForm('admin/accounts/:id/group', FORM)
  @AdministratorPage()
  async changeGroup(@AccountInPath() user: User, @Body() { group }: FormFields): Promise<SeeOther> {
    await this.groups.assign(user, group ? await this.groups.find(group) : null);
    return new SeeOther(`/admin/accounts/${user.id}?done=group`);
  }

  @PostConfirmedForm('admin/accounts/:id/delete', FORM)
  @AdministratorPage()
  async delete(@AccountInPath() user: User): Promise<SeeOther> {
    await this.removal.remove(user);
    return new SeeOther('/admin/accounts?done=delete');
  }

  async viewAgain(id: string) {
    return this.view(await this.administration.findById(id));
  }

  private async view(user: User, shown: Partial<ManagedAccountProps> = {}) {
    const activePushes = await this.pushes.countActiveOf(user.id);
    const groups = await this.groups.list();
    return <ManagedAccount user={user} activePushes={activePushes} groups={groups} {...shown} />;
  }
}

export function linkFor({ token, endsAt }: NewLink, baseUrl: string): PasswordLinkToPassOn {
  return { url: `${baseUrl}/users/password/${token}`, endsAt };
}

/** A link as an administrator passes it on. */
interface PasswordLinkToPassOn {
  url: string;
  endsAt: Date;
}

interface ManagedAccountProps {
  user: User;
  activePushes: number;
  /** All groups, of which it may be in one. */
  groups: AccountGroup[];
  /** A link that has just been created. */
  link?: PasswordLinkToPassOn;
  flash?: TextKey;
}

/** An account as administrators see it: nothing of what it has sent but how many pushes are active. */
export function ManagedAccount(props: ManagedAccountProps) {
  const { user, activePushes, groups, link, flash } = props;
  const { sendsMail } = useSite();
  const t = useTexts();
  const actions = actionsOn(user, sendsMail, groups.length > 0);
  const group = groups.find(({ id }) => id === user.groupId);
  const { path: rejected } = useForm();
  const isGone = !actions.some(({ action }) => rejected?.endsWith(`/${action}`)); // such as by another administrator
  return (
    <Layout title={t.text('admin.account')} script="account">
      <BackLink to="/admin/accounts" text="admin.backToList" />
      <Heading
        title={<Data>{user.email}</Data>}
        lede={
          <>
            <TextWithTime of="admin.created" at={user.createdAt} format="short" />
            {DOT}
            {user.lastUsedAt ? (
              <TextWithTime of="admin.lastUsed" at={user.lastUsedAt} format="short" />
            ) : (
              t.text('admin.neverUsed')
            )}
            {DOT}
            {t.text('admin.activePushes', listedCount(activePushes))}
            {group && (
              <>
                {DOT}
                <Sentence of="admin.inGroup" group={<Data>{group.name}</Data>} />
              </>
            )}
          </>
        }
      >
        <Buttons>
          <Tags user={user} />
        </Buttons>
      </Heading>
      <FlashMessage text={flash} />
      {isGone && <FormErrors />}
      {link && <LinkToPassOn link={link} />}
      <SectionRows>
        {actions.map(({ action, icon, heading, text, submit, isDangerous }) => (
          <SectionRow
            key={action}
            icon={icon}
            title={t.text(heading)}
            state={t.text(text)}
            isOpen={rejected?.endsWith(`/${action}`)}
            open={isDangerous ? t.text('row.delete') : undefined}
            isDangerous={isDangerous}
          >
            <FormErrors of={`/admin/accounts/${user.id}/${action}`} />
            <Form to={`/admin/accounts/${user.id}/${action}`} class="stack">
              {action === 'group' && (
                <GroupChoice name="group" label="admin.group" groups={groups} chosen={user.groupId} />
              )}
              <ReauthenticationFields
                id={action}
                label={t.text('admin.ownPassword')}
                alwaysPassword={action === 'delete'}
              />
              <Button look={isDangerous ? 'danger' : 'secondary'}>{t.text(submit)}</Button>
            </Form>
          </SectionRow>
        ))}
      </SectionRows>
    </Layout>
  );
}

function actionsOn(user: User, sendsMail: boolean, hasGroups: boolean): AccountAction[] {
  const { passwordHash, disabledAt, administrator, emailUnverified } = user;
  const linkText = passwordHash === null ? 'admin.linkInvite' : 'admin.linkText';
  const promoteText = emailUnverified ? 'admin.promoteSignedUp' : 'admin.promoteText';
  const actions: (AccountAction | false)[] = [
    {
      action: 'password_link',
      icon: 'key',
      heading: 'admin.link',
      text: linkText,
      submit: 'admin.linkSubmit',
    },
    sendsMail && {
      action: 'send_password_link',
      icon: 'mail',
      heading: 'admin.sendLink',
      text: 'admin.sendLinkText',
      submit: 'admin.sendLinkSubmit',
    },
    hasGroups && {
      action: 'group',
      icon: 'people',
      heading: 'admin.changeGroup',
      text: 'admin.changeGroupText',
      submit: 'groups.save',
    },
    disabledAt === null
      ? {
          action: 'disable',
          icon: 'ban',
          heading: 'admin.disable',
          text: 'admin.disableText',
          submit: 'admin.disableSubmit',
        }
      : {
          action: 'enable',
          icon: 'check',
          heading: 'admin.enable',
          text: 'admin.enableText',
          submit: 'admin.enableSubmit',
        },
    administrator
      ? {
          action: 'demote',
          icon: 'person',
          heading: 'admin.demote',
          text: 'admin.demoteText',
          submit: 'admin.demoteSubmit',
        }
      : {
          action: 'promote',
          icon: 'person',
          heading: 'admin.promote',
          text: promoteText,
          submit: 'admin.promoteSubmit',
        },
    user.hasSecondFactor && {
      action: 'reset_second_factor',
      icon: 'shield',
      heading: 'admin.resetFactor',
      text: 'admin.resetFactorText',
      submit: 'admin.resetFactorSubmit',
    },
    user.providerSignInAt !== null && {
      action: 'unlink',
      icon: 'link',
      heading: 'admin.unlink',
      text: 'admin.unlinkText',
      submit: 'admin.unlinkSubmit',
    },
    {
      action: 'delete',
      icon: 'trash',
      heading: 'admin.delete',
      text: 'admin.deleteText',
      submit: 'delete.submit',
      isDangerous: true,
    },
  ];
  return actions.filter((action) => action !== false);
}

function LinkToPassOn({ link: { url, endsAt } }: { link: PasswordLinkToPassOn }) {
  return (
    <Banner kind="done" role="status">
      <p>
        <TextWithTime of="admin.linkMade" at={endsAt} />
      </p>
      <LinkToCopy url={url} />
    </Banner>
  );
}

/** Something that an administrator can do to an account. */
interface AccountAction {
  /** The last part of the path. */
  action: string;
  icon: IconName;
  heading: TextKey;
  text: TextKey;
  submit: TextKey;
  isDangerous?: boolean;
}

/** What administrators know an account by, beside its address. */
export function Tags({ user, isOnlyWide }: { user: User; isOnlyWide?: boolean }) {
  return (
    <>
      {tagsOf(user, useTexts()).map((text) => (
        <Tag key={text} isOnlyWide={isOnlyWide}>
          {text}
        </Tag>
      ))}
    </>
  );
}

/** The same in words. */
export function tagsOf(user: User, t: Translator): string[] {
  const { administrator, disabledAt, passwordHash, emailUnverified, providerSignInAt } = user;
  const texts: (TextKey | false)[] = [
    administrator && 'admin.administrator',
    disabledAt !== null && 'admin.disabled',
    providerSignInAt !== null && 'admin.fromProvider',
    passwordHash === null && providerSignInAt === null && 'admin.noPassword',
    emailUnverified && 'admin.emailUnverified',
  ];
  return texts.filter((text) => text !== false).map((text) => t.text(text));
}
