import type { Values } from '../server/visit.ts';
import type { ActField } from './act.tsx';
import { Hidden } from './parts.tsx';

const NOW = 'agora-';
const CHOICE = 'fica-';

/** Two versions of a field side by side: one is chosen, there is none by default. */
export function Conflict({
  field: { name, label, hidden, choices },
  now,
  mine,
}: {
  field: ActField;
  now: string;
  mine: string;
}) {
  // The version of the thing: the new one is sent, now that the person sees it.
  if (hidden) return <input type="hidden" name={name} value={now} />;
  const shown = (text: string) => choices?.[text] ?? text;
  return (
    <fieldset class="office-conflict">
      <legend>{label}: qual fica?</legend>
      <Hidden of={{ [name]: mine, [`${NOW}${name}`]: now }} />
      {(
        [
          ['agora', 'Como está agora', now],
          ['meu', 'Como você escreveu', mine],
        ] as const
      ).map(([value, title, text]) => (
        <label key={value}>
          <span>
            <input type="radio" name={`${CHOICE}${name}`} value={value} /> {title}
          </span>
          <span class="office-text">{shown(text) || '(vazio)'}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** What was typed, with the versions that were chosen; faults where there is a choice left. */
export function settled(typed: Values): { values: Values; faults?: Values } {
  const names = Object.keys(typed)
    .filter((name) => name.startsWith(NOW))
    .map((name) => name.slice(NOW.length));
  const open = names.filter((name) => !['agora', 'meu'].includes(typed[`${CHOICE}${name}`] ?? ''));
  if (open.length > 0)
    return { values: typed, faults: { form: 'Escolha qual das duas versões fica, em cada campo.' } };
  const chosen = names
    .filter((name) => typed[`${CHOICE}${name}`] === 'agora')
    .map((name) => [name, typed[`${NOW}${name}`]!]);
  return { values: { ...typed, ...Object.fromEntries(chosen) } };
}
