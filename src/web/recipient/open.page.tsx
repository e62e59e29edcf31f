import { IsOptional, IsString } from 'class-validator';
import {
  Body,
  ForbiddenException,
  Get,
  NotFoundException,
  Param,
  Req,
  Res,
  UnauthorizedException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import { RetrievalsService } from '../../pushes/retrieve/retrievals.service.js';
import { VisitsService } from '../../pushes/retrieve/visits.service.js';
import { PostForm } from '../forms/form.js';
import { PageResponse, SeeOther, PageController } from '../pages/page-controller.js';
import { UrlTokenPipe } from '../pages/paths.js';
import { Deleted } from '../components/message.js';
import { Open, Refused } from './open.js';
import { Retrieved } from './retrieved.js';
import { AskedCodes, proofOf } from './asked-codes.js';
import { Problem } from '../../platform/errors/problem.js';
import type { FieldErrors } from '../components/filled-form.js';
import { withForm } from '../components/filled-form.js';
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
    const askedFor = this.askedCodes.of(urlToken, request)?.email;
    return new PageResponse(
      <Open urlToken={urlToken} requirements={requirements} visitor={visitor} askedFor={askedFor} />,
    );
  }

  @PostForm(['p/:url_token', 'p/:url_token/r'])
  @PublicPage()
  async retrieve(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @Body() { passphrase, code }: OpenPushDto,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageResponse> {
    const requirements = await this.visits.visit(urlToken, visitor);
    const { refusal } = requirements;
    if (refusal) return new PageResponse(<Refused urlToken={urlToken} refusal={refusal} />, 403);
    const asked = this.askedCodes.of(urlToken, request);
    try {
      const recipient = asked && proofOf(asked, code);
      const { push, links } = await this.retrievals.retrieveWithLinks(
        urlToken,
        { passphrase, recipient },
        visitor,
      );
      if (asked) this.askedCodes.forget(urlToken, request, response);
      if (push.expired) throw new NotFoundException(); // it ended in the meantime
      const mayDelete = push.deletable_by_viewer || (await this.isOwn(urlToken, visitor));
      return new PageResponse(<Retrieved push={push} links={links} mayDelete={mayDelete} />);
    } catch (error) {
      const page = { urlToken, requirements, visitor, askedFor: asked?.email };
      return PageResponse.askingAgain(error, (problem) =>
        withForm({ errors: errorsOf(problem) }, <Open {...page} />),
      );
    }
  }

  /** The page behind a delete link. It is the same whether or not the push has a delete key. */
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
    const isOwn = await this.isOwn(urlToken, visitor);
    if (!isOwn) await this.pushes.openRequirements(urlToken, visitor); // for anyone but its owner, a push that has ended is a 404
    try {
      await this.pushes.deleteWithKey(urlToken, key, visitor);
    } catch (error) {
      throw error instanceof UnauthorizedException
        ? new ForbiddenException(new Problem('not_your_push'))
        : error;
    }
    return isOwn
      ? new SeeOther(`/p/${urlToken}/audit?done=deleted`)
      : new PageResponse(<Deleted urlToken={urlToken} />);
  }

  private async isOwn(urlToken: string, visitor: Visitor): Promise<boolean> {
    if (visitor.userId === undefined) return false;
    try {
      await this.pushes.findOwn(urlToken, visitor);
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw error;
    }
  }
}

/** Beside the field that they are about. */
function errorsOf(problem: Problem | string): FieldErrors {
  const field = problem instanceof Problem ? FIELDS[problem.code] : undefined;
  return { [field ?? 'passphrase']: [problem] };
}

const FIELDS: Partial<Record<string, string>> = { code_needed: 'email', open_code_wrong: 'code' };

/** The page behind a delete link. A script moves the key from the link into the form. */
function DeletePush({ urlToken }: { urlToken: string }) {
  const t = useTexts();
  return (
    <NarrowPage title={t.text('deleteLink.page')} script="delete-push">
      <p class="lede">{t.text('delete.warning')}</p>
      <Form to={`/p/${urlToken}/delete`} class="card" id="delete-push">
        <Input
          name="delete_key"
          label={t.text('deleteLink.key')}
          hint={t.text('deleteLink.keyHint')}
          autocomplete="off"
          spellcheck={false}
          required
        />
        <button class="wide danger">{t.text('delete.submit')}</button>
      </Form>
    </NarrowPage>
  );
}
