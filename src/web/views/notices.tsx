import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import { Layout } from './layout.js';
import { NoticeBoxes } from './notice-events.js';
import { Link, PostForm } from './site.js';
import { useTexts } from './texts.js';

interface NoticesProps {
  email: string;
  /** Undefined when no mails are sent to this account. */
  chosen?: NoticeEvent[];
  isSaved: boolean;
}

/** About which events of their pushes people get mails. */
export function Notices({ email, chosen, isSaved }: NoticesProps) {
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
      {chosen ? (
        <section class="card">
          <p>{t.text('notices.intro', { email })}</p>
          <PostForm to="/users/notices">
            <NoticeBoxes chosen={chosen} />
            <button>{t.text('notices.submit')}</button>
          </PostForm>
        </section>
      ) : (
        <p>{t.text('notices.unavailable')}</p>
      )}
    </Layout>
  );
}
