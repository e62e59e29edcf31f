import type { OwnPushDto, PushDto } from '../../pushes/push/push.dto.js';
import { Fact } from './letter.js';
import { useTexts, Data, Sentence } from './site.js';
import { TextWithTime } from './words.js';

export function hasLimitFacts({ expire_after_first_view, opens_at, limited_to_networks }: PushDto): boolean {
  return (expire_after_first_view ?? opens_at ?? limited_to_networks) !== undefined;
}

/** The limits of a push that few have, as `Facts`. */
export function LimitFacts({ push }: { push: PushDto | OwnPushDto }) {
  const t = useTexts();
  const { expire_after_first_view: hours, opens_at: opensAt, limited_to_networks: isLimited } = push;
  const networks = 'allowed_networks' in push ? push.allowed_networks : undefined;
  return (
    <>
      {hours !== undefined && <Fact icon="clock">{t.text('limits.firstView', { hours })}</Fact>}
      {opensAt !== undefined && (
        <Fact icon="clock">
          <TextWithTime of="limits.opensAt" at={opensAt} format="named" />
        </Fact>
      )}
      {isLimited && (
        <Fact icon="globe">
          {networks ? (
            <Sentence of="limits.networks" networks={<Data>{t.list(networks)}</Data>} />
          ) : (
            t.text('limits.someNetworks')
          )}
        </Fact>
      )}
    </>
  );
}
