import type { SeveralDeleted } from '../../pushes/own/own-push-list.js';
import { Layout } from './layout.js';
import { Link } from './site.js';

/** What became of the pushes that an owner selected. */
export function DeletedSeveral({ outcome: { deleted, unknown } }: { outcome: SeveralDeleted }) {
  return (
    <Layout title="Pushes deleted">
      <div class="narrow message">
        <h1>{`${pushes(deleted)} deleted`}</h1>
        {unknown > 0 && <p>{`${pushes(unknown)} could not be found among yours.`}</p>}
        <p class="actions">
          <Link to="/pushes">Back to your pushes</Link>
        </p>
      </div>
    </Layout>
  );
}

function pushes(number: number): string {
  return number === 1 ? '1 push' : `${number} pushes`;
}
