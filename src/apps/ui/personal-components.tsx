import type { ComponentChildren } from 'preact';
import type { components, Output } from '#client';
import type { Flash } from '../server/submitted-form.ts';
import type { PersonalVisit } from '../server/visit.ts';
import { formatPhone, inReais, plural, shortTime } from '../text/format.ts';
import { Submit } from './buttons.tsx';
import { Line } from './components.tsx';
import { CetLine, Schedule } from './costs.tsx';
import { Field, FormAlert } from './field.tsx';

type Quote = components['schemas']['Quote'];

/** A form with an idempotency key: a second submit has no effect. */
export function PostForm(props: {
  visit: Pick<PersonalVisit, 'formKey'>;
  action: string;
  class?: string;
  id?: string;
  /**
   * The browser saves the typed values in this tab, so that they survive a lost connection (browser/saved-input.ts). 'sending' also
   * submits the form without leaving the page (browser/till.ts).
   */
  saveInput?: boolean | 'sending';
  /** The form has file inputs. */
  isUpload?: boolean;
  children: ComponentChildren;
}) {
  const { visit, action, id, saveInput, isUpload, children } = props;
  const encoding = isUpload ? { encType: 'multipart/form-data' } : {};
  return (
    <form
      action={action}
      method="post"
      class={props.class}
      id={id}
      data-once
      data-save-input={saveInput}
      noValidate
      {...encoding}
    >
      <input type="hidden" name="chave" value={visit.formKey()} />
      {children}
    </form>
  );
}

/** A form that consists of a single button. */
export const ButtonForm = (props: {
  visit: Pick<PersonalVisit, 'formKey'>;
  action: string;
  text: string;
  quiet?: boolean;
  wide?: boolean;
}) => {
  const { visit, action, text, ...button } = props;
  return (
    <PostForm visit={visit} action={action}>
      <Submit {...button}>{text}</Submit>
    </PostForm>
  );
};

/** The errors of the last submitted form, or the note about its result. */
export function FlashMessages({ flash }: { flash: Flash | undefined }) {
  if (!flash) return null;
  const { errors, note } = flash;
  return (
    <>
      {errors && <FormAlert errors={errors} />}
      {note && (
        <p class="note" role="status">
          {note}
        </p>
      )}
    </>
  );
}

/**
 * Attributes of an element that browser/personal.ts replaces when its `state` changes. `stream` is the address of the server-sent
 * events that report a change, or false if no change is expected.
 */
export const liveRegion = (id: string, state: string, stream: string | false) => ({
  id,
  tabIndex: -1,
  'aria-live': 'polite' as const,
  'data-state': state,
  ...(stream && { 'data-stream': stream }),
});

/** Returns the props of a field by its name: the typed value, its error, and the focus if it is the first field with an error. */
export function createFieldProps(
  flash: Flash | undefined,
  defaults: Record<string, string | undefined> = {},
) {
  const errors = flash?.errors ?? {};
  const firstInvalid = Object.keys(errors).find((name) => name !== 'form');
  return (name: string) => ({
    name,
    value: flash?.values?.[name] ?? defaults[name],
    error: errors[name],
    focus: name === firstInvalid,
  });
}

/** The costs of a purchase, with the CET, which must be shown before the customer accepts (CDC art. 54-B). */
export function QuoteCosts({ quote }: { quote: Quote }) {
  const { amount, total, cost, terms, installments, cashback_if_on_time } = quote;
  return (
    <>
      <dl class="totals">
        <Line name="Valor da compra" value={inReais(amount)} />
        <Line name="Custo do crédito" value={cost === 0 ? 'nenhum' : inReais(cost)} />
        <CetLine terms={terms} />
        <Line name="Total a pagar" value={inReais(total)} isTotal />
        {cashback_if_on_time > 0 && (
          <Line name="Cashback, pagando em dia" value={`até\u00a0${inReais(cashback_if_on_time)}`} />
        )}
      </dl>
      <Schedule caption="Parcelas" heading="Parcela" installments={installments} />
    </>
  );
}

/** The title and the explanation of a step of the sign-in or sign-up. */
export const StepHead = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <>
    <h1>{title}</h1>
    <p class="muted">{children}</p>
  </>
);

export const CodeSentText = ({ phone }: { phone: string }) => (
  <>
    Enviamos um SMS para <b>{formatPhone(phone)}</b>. O código vale por 5 minutos.
  </>
);

/** A six-digit code. Phones offer to fill it in from the text message. */
export const CodeField = (props: {
  name?: string;
  label?: string;
  value?: string | undefined;
  error?: string | undefined;
  focus?: boolean;
}) => (
  <Field
    name="code"
    label="Código de 6 números"
    {...props}
    inputmode="numeric"
    autocomplete="one-time-code"
    maxLength={7}
  />
);

/** A form for the code that was sent. The children are shown above it. */
export const CodeForm = (props: {
  visit: Pick<PersonalVisit, 'formKey' | 'flash'>;
  action: string;
  submitText: string;
  /** Posts to the `reenviar` path below the form's. */
  canResend?: boolean;
  children?: ComponentChildren;
}) => (
  <PostForm visit={props.visit} action={props.action} class="panel">
    {props.children}
    <CodeField {...createFieldProps(props.visit.flash)('code')} focus />
    <Submit wide>{props.submitText}</Submit>
    {props.canResend && <ResendButton action={`${props.action}/reenviar`} />}
  </PostForm>
);

/** Requests another code without losing the typed values. Place it after the form's main button: Enter presses the first one. */
export const ResendButton = ({ action }: { action: string }) => (
  <p class="resend">
    <span class="muted">O código não chegou?</span>{' '}
    <button class="link" type="submit" formAction={action}>
      Enviar outro código
    </button>
  </p>
);

/** The devices on which a person is signed in, each but the current one with a button that ends its session. */
export const SessionList = (props: {
  visit: Pick<PersonalVisit, 'formKey'>;
  sessions: Output<'listSessions'>['data'];
  /** The form that ends a session; its id follows. */
  action: string;
  deviceText: string;
  endText: string;
  describeEnd: (openedAt: string) => string;
}) => (
  <ul class="sessions">
    {props.sessions.map(({ id, is_current, created_at, refreshed_at }) => (
      <li key={id}>
        <span>
          <b>{is_current ? 'Este aparelho' : props.deviceText}</b>
          <small>
            entrou em {shortTime(created_at)}
            {refreshed_at !== created_at && `, usado por volta de ${shortTime(refreshed_at)}`}
          </small>
        </span>
        {!is_current && (
          <PostForm visit={props.visit} action={`${props.action}/${id}`}>
            <button
              class="button small quiet"
              type="submit"
              aria-label={props.describeEnd(shortTime(created_at))}
            >
              {props.endText}
            </button>
          </PostForm>
        )}
      </li>
    ))}
  </ul>
);

/** 1 semana, 4 semanas */
export const formatWeeks = (n: number) => plural(n, 'semana', 'semanas');
