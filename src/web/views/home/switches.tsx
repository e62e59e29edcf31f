import type { PushDefaults } from '../../../pushes/create/new-push.js';
import { Checkbox } from '../fields.js';
import { useTexts } from '../texts.js';
import type { FormPartProps } from './entered-fields.js';

/** A push made here waits for a click unless its sender decides otherwise, whatever the default of the API is. */
const WAITS_FOR_CLICK = true;

/** The options that are either on or off. */
export function Switches({ defaults, typed }: FormPartProps & { defaults: PushDefaults }) {
  const t = useTexts();
  const isTicked = (name: string, standard: boolean) =>
    typed[name] === undefined ? standard : typed[name] !== 'off';
  return (
    <>
      <Checkbox
        name="retrieval_step"
        field="push[retrieval_step]"
        label={t.text('home.retrievalStep')}
        hint={t.text('home.retrievalStepHint')}
        checked={isTicked('retrieval_step', WAITS_FOR_CLICK)}
      />
      <Checkbox
        name="deletable_by_viewer"
        field="push[deletable_by_viewer]"
        label={t.text('home.deletable')}
        checked={isTicked('deletable_by_viewer', defaults.deletableByViewer)}
      />
    </>
  );
}
