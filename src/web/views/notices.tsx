import { NOTICE_EVENTS } from '../../pushes/notices/notice-events.js';
import type { NoticeEvent } from '../../pushes/notices/notice-events.js';
import type { TextKey } from '../../texts/en.js';
import { Checkbox } from './fields.js';
import { Layout } from './layout.js';
import { Link, PostForm } from './site.js';
import { useTexts } from './texts.js';

const LABELS: Record<NoticeEvent, TextKey> = {
  first_view: 'notices.firstView',
  each_view: 'notices.eachView',
  failed_passphrase: 'notices.passphrase',
  ended_unseen: 'notices.unseen',
};

interface NoticesProps {
  email: string;
  chosen: NoticeEvent[];
  /** Whether mails are sent to this account. */
  isAvailable: boolean;
  isSaved: boolean;
}

/** About which events of their pushes people get mails. */
export function Notices({ email, chosen, isAvailable, isSaved }: NoticesProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('notices.title')}>
      <p class="back">
        <Link to="/users/edit">{t.text('notices.back')}</Link>
      </p>
      <h1>{t.text('notices.title')}</h1>
      {isSaved && (
        <p class="notice" role="status">
          {t.text('notices.saved')}
        </p>
      )}
      {isAvailable ? (
        <section class="card">
          <p>{t.text('notices.intro', { email })}</p>
          <PostForm to="/users/notices">
            {NOTICE_EVENTS.map((event) => (
              <Checkbox
                key={event}
                name={event}
                label={t.text(LABELS[event])}
                checked={chosen.includes(event)}
              />
            ))}
            <button>{t.text('notices.submit')}</button>
          </PostForm>
        </section>
      ) : (
        <p>{t.text('notices.unavailable')}</p>
      )}
    </Layout>
  );
}
