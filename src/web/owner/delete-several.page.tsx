import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { BadRequestException, Body, Injectable, Post, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { safeListPath, withDone } from '../pages/paths.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import { Problem } from '../../platform/errors/problem.js';
import type { ListedPush } from '../../pushes/owner-lists/own-push-list.js';
import { SignedInPage } from '../../auth/access.decorators.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import { PageController, PageResponse, SeeOther } from '../pages/page-controller.js';
import { NarrowPage } from '../components/layout.js';
import { Button, LinkButton } from '../components/button.js';
import { SectionRow, SectionRows } from '../components/card.js';
import { Phrase } from '../components/table.js';
import { Form, useTexts } from '../components/site.js';
import { kindIconOf, NameOf, State } from './own-list.js';

/** One page of a list. */
const MAX_TOKENS = 50;

/** Pushes that were selected in a list. */
interface SelectedPushes {
  /** The tokens of the pushes; the id of one whose token cannot be read. */
  references: string[];
  /** Whether the person has seen which ones. */
  isConfirmed: boolean;
  /** The list that they were selected in. */
  next: string;
}

/** Reads a form with any number of fields `url_tokens` into `request.body`, after the guards. */
@Injectable()
class UrlTokensInterceptor implements NestInterceptor {
  constructor(private readonly reader: BodyReader) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const fields = await this.reader.form(request, http.getResponse<Response>(), SHORT_FORM_LIMIT);
    const { url_tokens: sent, confirmed, next: list } = fields;
    const references = (Array.isArray(sent) ? sent : [sent]).filter((token) => typeof token === 'string');
    if (references.length > MAX_TOKENS)
      throw new BadRequestException(new Problem('too_many_selected', { count: MAX_TOKENS }));
    request.body = {
      references,
      isConfirmed: confirmed === 'yes',
      next: safeListPath(list),
    } satisfies SelectedPushes;
    return next.handle();
  }
}

/** Deletes pushes that were selected in a list, after showing which ones. */
@PageController()
export class DeleteSeveralController {
  constructor(private readonly ownPushes: OwnPushesService) {}

  @Post('pushes/delete')
  @QueuedByAccount()
  @UseInterceptors(UrlTokensInterceptor)
  @SignedInPage()
  async deleteSeveral(
    @CurrentVisitor() visitor: Visitor,
    @Body() { references, isConfirmed, next }: SelectedPushes,
  ): Promise<PageResponse | SeeOther> {
    if (references.length === 0) return new SeeOther(next);
    if (!isConfirmed) {
      const pushes = await this.ownPushes.findSeveral(visitor, references);
      return new PageResponse(<DeleteSeveral pushes={pushes} next={next} />);
    }
    const outcome = await this.ownPushes.deleteSeveral(visitor, references);
    return new SeeOther(withDone(next, 'deleted', { ...outcome }));
  }
}

/** Asks whether the pushes that an owner selected shall be deleted. */
function DeleteSeveral({ pushes, next }: { pushes: ListedPush[]; next: string }) {
  const t = useTexts();
  const title = t.text('deleteSeveral.title', { count: pushes.length });
  return (
    <NarrowPage title={title} lede={pushes.length > 0 ? t.text('deleteSeveral.warning') : undefined}>
      {pushes.length > 0 && (
        <SectionRows>
          {pushes.map(({ push, files, reference }) => (
            <SectionRow
              key={reference}
              icon={kindIconOf(push)}
              title={<NameOf push={push} files={files} />}
              state={
                <Phrase>
                  <State push={push} />
                </Phrase>
              }
            />
          ))}
        </SectionRows>
      )}
      <Form to="/pushes/delete" class="row center gap-top">
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="next" value={next} />
        {pushes.map(({ reference }) => (
          <input key={reference} type="hidden" name="url_tokens" value={reference} />
        ))}
        {pushes.length > 0 && <Button look="danger">{t.text('delete.submit')}</Button>}
        <LinkButton to={next}>{t.text('deleteSeveral.keep')}</LinkButton>
      </Form>
    </NarrowPage>
  );
}
