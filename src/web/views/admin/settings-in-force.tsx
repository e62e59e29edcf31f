import type { ShownSetting } from '../../../settings/shown-settings.js';
import { useTexts } from '../texts.js';

const COLUMNS = ['overview.setting', 'overview.value', 'overview.origin'] as const;

/** A table; narrow screens show its rows as cards, so its roles are given explicitly. */
export function SettingsInForce({ settings }: { settings: ShownSetting[] }) {
  const t = useTexts();
  return (
    <section>
      <h2>{t.text('overview.settings')}</h2>
      <p>{t.text('overview.settingsIntro')}</p>
      <table class="events settings" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((key) => (
              <th key={key} role="columnheader" scope="col">
                {t.text(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {settings.map((setting) => (
            <Row key={setting.name} setting={setting} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ setting: { name, value, isSet } }: { setting: ShownSetting }) {
  const t = useTexts();
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <code>{name}</code>
      </th>
      <td role="cell">{value || t.text(isSet ? 'overview.hidden' : 'overview.none')}</td>
      <td role="cell">
        {isSet ? (
          <strong>{t.text('overview.set')}</strong>
        ) : (
          t.text(value ? 'overview.default' : 'overview.notSet')
        )}
      </td>
    </tr>
  );
}
