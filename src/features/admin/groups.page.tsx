import type { PipeTransform } from '@nestjs/common';
import { Body, Get, Injectable } from '@nestjs/common';
import { InMenu } from '../../web/pages/menus.js';
import { AdministratorPage } from '../../auth/access.decorators.js';
import type {
  AccountGroup,
  GroupRequirements,
  GroupRules,
} from '../../auth/entities/account-group.entity.js';
import { MAX_GROUP_NAME } from '../../auth/entities/account-group.entity.js';
import { AccountGroupsService } from '../../auth/groups/account-groups.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { lineError } from '../../platform/http/validation/text-error.js';
import { assertValid, rangeProblem, toInteger } from '../../platform/http/validation/validation.pipe.js';
import type { RequiredFor } from '../../platform/settings/settings.js';
import { Settings } from '../../platform/settings/settings.js';
import type { RequirementOfPush } from '../../pushes/create/creation-policy.js';
import { REQUIREMENTS } from '../../pushes/create/creation-policy.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { FormFields } from '../../web/components/filled-form.js';
import { useForm } from '../../web/components/filled-form.js';
import { Checkbox, FormErrors, Input, ReauthenticationFields, Select } from '../../web/components/fields.js';
import { Button } from '../../web/components/button.js';
import { Empty } from '../../web/components/empty.js';
import { Card, SectionRow, SectionRows } from '../../web/components/card.js';
import { FoldedForm } from '../../web/components/folded-form.js';
import { BackLink, Heading } from '../../web/components/heading.js';
import { Icon } from '../../web/components/icon.js';
import { Layout } from '../../web/components/layout.js';
import { AdministrationHeading } from '../../web/components/navigation.js';
import { FlashMessage, Form, Link, useTexts, Data } from '../../web/components/site.js';
import { Cell, Row, RowTitle, Table } from '../../web/components/table.js';
import type { Translator } from '../../texts/translator.js';
import type { ShownAgain } from '../../web/forms/form.js';
import { PostReauthenticatedForm } from '../../web/forms/form.js';
import {
  PageController,
  PageResponse,
  SeeOther,
  ReturnAfterSignIn,
} from '../../web/pages/page-controller.js';
import { Flash, IdInPath } from '../../web/pages/parameters.js';
import { DOT } from '../../web/components/words.js';

const DONE = {
  create: 'groups.doneCreate',
  change: 'groups.doneChange',
  delete: 'groups.doneDelete',
} as const;

/** Finds a group by its id; an unknown one is a 404. */
@Injectable()
class GroupPipe implements PipeTransform<string, Promise<AccountGroup>> {
  constructor(private readonly groups: AccountGroupsService) {}

  transform(id: string): Promise<AccountGroup> {
    return this.groups.find(id);
  }
}

/** The group that the path names, as a parameter of a handler. */
const GroupInPath = () => IdInPath(GroupPipe);

const GROUP_FORM: ShownAgain<GroupsController> = {
  again: (page, { request }) => page.groupAgain(String(request.params.id)),
};

/** Groups of accounts, and the rules for what their accounts create. */
@PageController()
export class GroupsController {
  constructor(
    private readonly groups: AccountGroupsService,
    private readonly settings: Settings,
  ) {}

  @Get('admin/groups')
  @InMenu({ administration: { text: 'groups.title', position: 30 } })
  @AdministratorPage()
  async list(@Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return new PageResponse(await this.listView(flash));
  }

  @PostReauthenticatedForm('admin/groups', {
    again: (page: GroupsController) => page.listView(),
    field: 'name',
  })
  @AdministratorPage()
  async create(@Body() form: FormFields): Promise<SeeOther> {
    const { id } = await this.groups.create(rulesIn(form, this.settings));
    return new SeeOther(`/admin/groups/${id}?done=create`);
  }

  @Get('admin/groups/:id')
  @ReturnAfterSignIn()
  @AdministratorPage()
  async show(
    @GroupInPath() group: AccountGroup,
    @Flash(DONE) flash: TextKey | undefined,
  ): Promise<PageResponse> {
    return new PageResponse(await this.view(group, flash));
  }

  @PostReauthenticatedForm('admin/groups/:id', { ...GROUP_FORM, field: 'name' })
  @AdministratorPage()
  async change(@GroupInPath() group: AccountGroup, @Body() form: FormFields): Promise<SeeOther> {
    await this.groups.change(group, rulesIn(form, this.settings));
    return new SeeOther(`/admin/groups/${group.id}?done=change`);
  }

  @PostReauthenticatedForm('admin/groups/:id/delete', GROUP_FORM)
  @AdministratorPage()
  async delete(
    @GroupInPath() group: AccountGroup,
    @Body() { move_to: successor }: FormFields,
  ): Promise<SeeOther> {
    await this.groups.delete(group, successor ? await this.groups.find(successor) : null);
    return new SeeOther('/admin/groups?done=delete');
  }

  async groupAgain(id: string) {
    return this.view(await this.groups.find(id));
  }

  private async listView(flash?: TextKey) {
    return <Groups groups={await this.groups.list()} settings={this.settings} flash={flash} />;
  }

  private async view(group: AccountGroup, flash?: TextKey) {
    const others = (await this.groups.list()).filter(({ id }) => id !== group.id);
    return <Group group={group} others={others} settings={this.settings} flash={flash} />;
  }
}

/** For which ways a group can require something, and what the form calls them. */
const REQUIRED_FOR = {
  false: 'groups.asInSettings',
  pages: 'groups.onPages',
  api: 'groups.inApi',
  true: 'groups.everywhere',
} as const satisfies Record<RequiredFor, TextKey>;
const WAYS = Object.keys(REQUIRED_FOR) as RequiredFor[];
const GROUP_RULES = Object.values<RequirementOfPush>(REQUIREMENTS).map(({ ofGroup }) => ofGroup);

/** @throws InvalidFields with what is wrong with each field */
function rulesIn(form: FormFields, { MAIL_URL }: Settings): GroupRules {
  const name = (form.name ?? '').trim();
  const [days, views] = [form.max_days, form.max_views].map((text) => toInteger(text) ?? null);
  assertValid({
    name: lineError(name, MAX_GROUP_NAME),
    max_days: rangeProblem(days, { min: 1, max: 36_500 }),
    max_views: rangeProblem(views, { min: 1, max: 1_000_000 }),
    ...Object.fromEntries(
      GROUP_RULES.map(({ field, needsMail }) => [field, choiceProblem(form[field], needsMail && !MAIL_URL)]),
    ),
  });
  return {
    name,
    mayCreate: form.may_create !== undefined,
    maxDays: days as number | null,
    maxViews: views as number | null,
    ...(Object.fromEntries(GROUP_RULES.map(({ rule, field }) => [rule, form[field]])) as GroupRequirements),
  };
}

function choiceProblem(value: string | undefined, lacksMail = false): Problem | false {
  if (!WAYS.some((way) => way === value)) return new Problem('blank');
  return lacksMail && value !== 'false' && new Problem('mails_unavailable');
}

interface GroupsProps {
  groups: AccountGroup[];
  settings: Settings;
  flash?: TextKey;
}

function Groups({ groups, settings, flash }: GroupsProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('groups.title')} script="account" width="list">
      <AdministrationHeading />
      <FlashMessage text={flash} />
      {groups.length > 0 && <p class="quiet">{t.text('groups.intro')}</p>}
      <div class="gap-top stack">
        <SectionRows>
          <SectionRow
            icon="plus"
            title={t.text('groups.create')}
            state={t.text('groups.createText')}
            isOpen={useForm('/admin/groups').errors !== undefined}
          >
            <FormErrors of="/admin/groups" />
            <Form to="/admin/groups" class="stack">
              <Rules standard={{ may_create: 'on' }} settings={settings} />
              <Button look="primary">{t.text('groups.createSubmit')}</Button>
            </Form>
          </SectionRow>
        </SectionRows>
        {groups.length === 0 ? (
          <Empty title={t.text('groups.none')}>{t.text('groups.intro')}</Empty>
        ) : (
          <Table
            caption="groups.title"
            columns={[{ text: 'groups.name' }, { text: 'groups.rules', shownAt: 'wide' }]}
          >
            {groups.map((group) => (
              <GroupRow key={group.id} group={group} />
            ))}
          </Table>
        )}
      </div>
    </Layout>
  );
}

function GroupRow({ group }: { group: AccountGroup }) {
  const rules = rulesInWords(group, useTexts());
  return (
    <Row
      title={
        <RowTitle icon={<Icon name="people" />}>
          <Link to={`/admin/groups/${group.id}`}>
            <Data>{group.name}</Data>
          </Link>
        </RowTitle>
      }
      line={rules}
    >
      <Cell>{rules}</Cell>
    </Row>
  );
}

/** What a group forbids or requires beyond the settings. */
function rulesInWords(group: AccountGroup, t: Translator): string {
  const { mayCreate, maxDays, maxViews } = group;
  const rules = [
    !mayCreate && t.text('groups.mayNotCreate'),
    maxDays !== null && t.text('groups.atMost', { limit: t.text('home.days', { count: maxDays }) }),
    maxViews !== null && t.text('groups.atMost', { limit: t.text('home.viewsChoice', { count: maxViews }) }),
    ...GROUP_RULES.map(
      ({ rule, label }) =>
        group[rule] !== 'false' && `${t.text(label)}: ${t.text(REQUIRED_FOR[group[rule]])}`,
    ),
  ].filter((text) => text !== false);
  return rules.length === 0 ? t.text('groups.asInSettings') : rules.join(DOT);
}

interface GroupProps {
  group: AccountGroup;
  others: AccountGroup[];
  settings: Settings;
  flash?: TextKey;
}

function Group({ group, others, settings, flash }: GroupProps) {
  const t = useTexts();
  const path = `/admin/groups/${group.id}`;
  return (
    <Layout title={t.text('groups.title')} script="account">
      <BackLink to="/admin/groups" text="groups.back" />
      <Heading title={<Data>{group.name}</Data>} />
      <FlashMessage text={flash} />
      <FormErrors of={path} />
      <Card>
        <Form to={path} class="stack">
          <Rules standard={fieldsOf(group)} settings={settings} />
          <Button look="primary">{t.text('groups.save')}</Button>
        </Form>
      </Card>
      <Card>
        <FoldedForm
          to={`${path}/delete`}
          heading="groups.delete"
          text="groups.deleteText"
          submit="delete.submit"
          isDangerous
        >
          <GroupChoice name="move_to" label="groups.moveTo" groups={others} />
          <ReauthenticationFields id="delete" label={t.text('admin.ownPassword')} />
        </FoldedForm>
      </Card>
    </Layout>
  );
}

interface GroupChoiceProps {
  name: string;
  label: TextKey;
  groups: AccountGroup[];
  /** The id of the chosen one; none by default. */
  chosen?: string | null;
}

/** A choice of one of the groups, or of none. */
export function GroupChoice({ name, label, groups, chosen = null }: GroupChoiceProps) {
  const t = useTexts();
  const options = groups.map((group) => ({
    value: group.id,
    label: group.name,
    isSelected: group.id === chosen,
    isData: true,
  }));
  return (
    <Select
      name={name}
      label={t.text(label)}
      options={[{ value: '', label: t.text('groups.noGroup'), isSelected: chosen === null }, ...options]}
    />
  );
}

/** The rules as the fields of the form. */
function fieldsOf(group: AccountGroup): FormFields {
  return {
    name: group.name,
    ...(group.mayCreate && { may_create: 'on' }),
    max_days: group.maxDays?.toString(),
    max_views: group.maxViews?.toString(),
    ...Object.fromEntries(GROUP_RULES.map(({ rule, field }) => [field, group[rule]])),
  };
}

interface RulesProps {
  /** What the form has when it is shown for the first time. */
  standard: FormFields;
  settings: Settings;
}

/** The fields of the rules. Beside each is what the settings say, because that holds for every group. */
function Rules({ standard, settings }: RulesProps) {
  const t = useTexts();
  const form = useForm();
  const typed = form.errors ? form.typed : standard;
  return (
    <>
      <Input
        name="name"
        label={t.text('groups.name')}
        hint={t.text('groups.nameHint')}
        value={typed.name}
        maxLength={MAX_GROUP_NAME}
        autocomplete="off"
        required
      />
      <Checkbox
        name="may_create"
        label={t.text('groups.mayCreate')}
        checked={typed.may_create !== undefined}
      />
      <Input
        name="max_days"
        label={t.text('groups.maxDays')}
        hint={t.text('groups.limitHint', { max: settings.EXPIRE_AFTER_DAYS_MAX })}
        value={typed.max_days}
        inputMode="numeric"
        autocomplete="off"
      />
      <Input
        name="max_views"
        label={t.text('groups.maxViews')}
        hint={t.text('groups.limitHint', { max: settings.EXPIRE_AFTER_VIEWS_MAX })}
        value={typed.max_views}
        inputMode="numeric"
        autocomplete="off"
      />
      {Object.values(REQUIREMENTS).map(({ ofGroup: { field, label }, settings: { pages, api } }) => (
        <Select
          key={field}
          name={field}
          label={t.text(label)}
          hint={t.text('groups.setting', { required: t.text(requiredBySettings(settings, pages, api)) })}
          options={WAYS.map((value) => ({
            value,
            label: t.text(REQUIRED_FOR[value]),
            isSelected: value === typed[field],
          }))}
        />
      ))}
      <ReauthenticationFields id="rules" label={t.text('admin.ownPassword')} />
    </>
  );
}

/** For which ways the settings require something of every push, in words. */
function requiredBySettings(settings: Settings, pages: keyof Settings, api: keyof Settings): TextKey {
  const isRequired = (name: keyof Settings, way: 'pages' | 'api') =>
    ['required', 'true', way].some((value) => value === settings[name]);
  const [onPages, inApi] = [isRequired(pages, 'pages'), isRequired(api, 'api')];
  if (!onPages && !inApi) return 'groups.notRequired';
  return REQUIRED_FOR[onPages ? (inApi ? 'true' : 'pages') : 'api'];
}
