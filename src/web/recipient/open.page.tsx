import { IsOptional, IsString } from 'class-validator';
import { Body, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor, VisitorPipe } from '../../platform/http/visitor.js';
import type { OpenRequirements } from '../../pushes/push/pushes.service.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import { RetrievalsService } from '../../pushes/retrieve/retrievals.service.js';
import { VisitsService } from '../../pushes/retrieve/visits.service.js';
import type { RejectedForm } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { PageResponse, SeeOther, PageController } from '../pages/page-controller.js';
import { UrlTokenPipe } from '../pages/paths.js';
import { Deleted } from '../components/message.js';
import { Open, Refused } from './open.js';
import { Retrieved } from './retrieved.js';
import { AskedCodes, proofOf } from './asked-codes.js';
import { withForm } from '../components/filled-form.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Input } from '../components/fields.js';
import { NarrowPage } from '../components/layout.js';
import { Form, useTexts } from '../components/site.js';

class DeletePushDto {
  @IsOptional()
  @IsString()
  delete_key?: string;
}

class OpenPushDto {
  @IsOptional()
  @IsString()
  passphrase?: string;

  @IsOptional()
  @IsString()
  code?: string;
}

/**
 * The page behind a link. Loading it uses no view; the secret is shown after a form is posted. A push that has ended and
 * one that never existed have the same page; only the owner's activity has the visit.
 */
@PageController()
@OnGateway()
export class OpenPushController {
  constructor(
    private readonly pushes: PushesService,
    private readonly retrievals: RetrievalsService,
    private readonly visits: VisitsService,
    private readonly askedCodes: AskedCodes,
    private readonly visitors: VisitorPipe,
  ) {}

  @Get(['p/:url_token', 'p/:url_token/r'])
  @PublicPage()
  async show(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
  ): Promise<PageResponse> {
    const requirements = await this.visits.visit(urlToken, visitor);
    const { refusal } = requirements;
    if (refusal) return new PageResponse(<Refused urlToken={urlToken} refusal={refusal} />, 403);
    return new PageResponse(this.view(urlToken, requirements, visitor, request));
  }

  /** The passphrase or code was missing, wrong, or tried too often. */
  @PostForm(['p/:url_token', 'p/:url_token/r'], {
    again: (page: OpenPushController, form) => page.viewAgain(form),
    field: 'passphrase',
    statuses: { 401: 422, 429: 429 },
  })
  @PublicPage()
  async retrieve(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @Body() { passphrase, code }: OpenPushDto,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageResponse> {
    const { refusal } = await this.visits.visit(urlToken, visitor);
    if (refusal) return new PageResponse(<Refused urlToken={urlToken} refusal={refusal} />, 403);
    const asked = this.askedCodes.of(urlToken, request);
    const credentials = { passphrase, recipient: asked && proofOf(asked, code) };
    const { push, links } = await this.retrievals.retrieveWithLinks(urlToken, credentials, visitor);
    if (asked) this.askedCodes.forget(urlToken, request, response);
    if (push.expired) throw new NotFoundException(); // it ended in the meantime
    const mayDelete = push.deletable_by_viewer || (await this.pushes.isOwn(urlToken, visitor));
    return new PageResponse(<Retrieved push={push} links={links} mayDelete={mayDelete} />);
  }

  /** The page behind a link for deleting. It is the same whether or not the push has a delete key. */
  @Get('p/:url_token/delete')
  @PublicPage()
  async confirmDelete(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<PageResponse> {
    await this.pushes.openRequirements(urlToken, visitor); // a push that has ended is a 404
    return new PageResponse(<DeletePush urlToken={urlToken} />);
  }

  @PostForm('p/:url_token/delete')
  @PublicPage()
  async delete(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @Body() { delete_key: key = '' }: DeletePushDto,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<PageResponse | SeeOther> {
    const isOwn = await this.pushes.isOwn(urlToken, visitor);
    if (!isOwn) await this.pushes.openRequirements(urlToken, visitor); // for anyone but its owner, a push that has ended is a 404
    const { expire_after_views, views_remaining } = await this.pushes.deleteWithKey(urlToken, key, visitor);
    if (isOwn) return new SeeOther(`/p/${urlToken}/audit?done=deleted`);
    const isSender = key !== '';
    const wasOpened = isSender ? views_remaining < expire_after_views : undefined;
    return new PageResponse(<Deleted urlToken={urlToken} wasOpened={wasOpened} />);
  }

  /** Errors are shown in both forms: one about the email address is in the form that asks for a code. */
  async viewAgain({ request, errors }: RejectedForm) {
    const urlToken = String(request.params.url_token);
    const visitor = this.visitors.transform(request);
    const requirements = await this.visits.visit(urlToken, visitor);
    return withForm({ errors }, this.view(urlToken, requirements, visitor, request));
  }

  private view(urlToken: string, requirements: OpenRequirements, visitor: Visitor, request: Request) {
    const askedFor = this.askedCodes.of(urlToken, request)?.email;
    return <Open urlToken={urlToken} requirements={requirements} visitor={visitor} askedFor={askedFor} />;
  }
}

/** The page behind a link for deleting. A script moves the key from the link into the form. */
function DeletePush({ urlToken }: { urlToken: string }) {
  const t = useTexts();
  return (
    <NarrowPage title={t.text('deleteLink.page')} lede={t.text('delete.warning')} script="delete-push">
      <Card>
        <Form to={`/p/${urlToken}/delete`} id="delete-push" class="stack">
          <Input
            name="delete_key"
            label={t.text('deleteLink.key')}
            hint={t.text('deleteLink.keyHint')}
            autocomplete="off"
            spellcheck={false}
            isCode
            required
          />
          <Button look="danger" isWide icon="trash">
            {t.text('delete.submit')}
          </Button>
        </Form>
      </Card>
    </NarrowPage>
  );
}
