import type { ComponentChildren } from 'preact';
import { maskName } from '#core/values/mask-name.ts';
import { formatPhone, inReais, shortDayWithYear, shortTimeWithYear } from '../text/format.ts';

export const Money = ({ amount }: { amount: number }) => <span class="figure">{inReais(amount)}</span>;
export const Timestamp = ({ instant }: { instant: string | null }) =>
  instant === null ? (
    <span class="muted">nunca</span>
  ) : (
    <time dateTime={instant}>{shortTimeWithYear(instant, new Date())}</time>
  );
export const DayText = ({ day }: { day: string | null }) =>
  day === null ? (
    <span class="muted">nenhum</span>
  ) : (
    <time dateTime={day}>{shortDayWithYear(day, new Date())}</time>
  );
export const Code = ({ children }: { children: ComponentChildren }) => <code>{children}</code>;

/** Keeps its content on one line. */
export const NoWrap = ({ children }: { children: ComponentChildren }) => (
  <span class="whole">{children}</span>
);

export type Labels = Readonly<Record<string, string>>;

/** The label names the status, so that it is not conveyed by colour alone. */
export const StatusBadge = ({ status, labels }: { status: string; labels: Labels }) => (
  <span class={`status-word ${status}`}>{labels[status] ?? status}</span>
);

/** Lists show only enough of a name to recognise the customer; the customer's page shows all of it. */
export const toMaskedName = (name: string | null): string =>
  name === null ? 'dados apagados' : name.includes('*') ? name : maskName(name);
/** (11) *****-0001 */
export const toMaskedPhone = (phone: string): string =>
  phone.includes('*')
    ? phone
    : formatPhone(phone).replace(/\d{4,5}(?=-)/, (middle) => '*'.repeat(middle.length));

export const HiddenInputs = ({ values }: { values: Readonly<Record<string, string | number>> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);

/** The submit button and the cancel link of a form. */
export const FormButtons = (props: {
  submitText: string;
  cancelPath: string;
  children?: ComponentChildren;
}) => (
  <div class="actions">
    <button class="button" type="submit">
      {props.submitText}
    </button>
    {props.children}
    <a class="button quiet" href={props.cancelPath}>
      Cancelar
    </a>
  </div>
);
