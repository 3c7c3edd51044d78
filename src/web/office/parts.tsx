import type { ComponentChildren } from 'preact';
import { maskName } from '#core/mask-name.ts';
import { dayInYear, inReais, showPhone, timeInYear } from '../text/format.ts';

export const Money = ({ of }: { of: number }) => <span class="figure">{inReais(of)}</span>;
export const When = ({ at }: { at: string | null }) =>
  at === null ? <span class="muted">nunca</span> : <time dateTime={at}>{timeInYear(at, new Date())}</time>;
export const OnDay = ({ day }: { day: string | null }) =>
  day === null ? <span class="muted">nenhum</span> : <time dateTime={day}>{dayInYear(day, new Date())}</time>;
export const Code = ({ children }: { children: ComponentChildren }) => <code>{children}</code>;

/** On one line. */
export const Whole = ({ children }: { children: ComponentChildren }) => <span class="whole">{children}</span>;

export type Names = Readonly<Record<string, string>>;

/** Nothing is only a colour: the text says it. */
export const Status = ({ of, names }: { of: string; names: Names }) => (
  <span class={`status-word ${of}`}>{names[of] ?? of}</span>
);

/** In lists: enough to recognise somebody. The whole is on the person's page. */
export const maskedName = (name: string | null): string =>
  name === null ? 'dados apagados' : name.includes('*') ? name : maskName(name);
/** (11) *****-0001 */
export const maskedPhone = (phone: string): string =>
  phone.includes('*')
    ? phone
    : showPhone(phone).replace(/\d{4,5}(?=-)/, (middle) => '*'.repeat(middle.length));

/** Sent with a form, and not shown. */
export const Hidden = ({ of }: { of: Readonly<Record<string, string | number>> }) => (
  <>
    {Object.entries(of).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);

/** Under a form: what it does, and the way back. */
export const Buttons = (props: { text: string; back: string; children?: ComponentChildren }) => (
  <div class="actions">
    <button class="button" type="submit">
      {props.text}
    </button>
    {props.children}
    <a class="button quiet" href={props.back}>
      Cancelar
    </a>
  </div>
);
