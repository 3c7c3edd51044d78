import type { ComponentChildren } from 'preact';
import type { components, Output } from '#client';
import type { Flash } from '../server/submitted-form.ts';
import { type PersonalVisit, useVisit } from '../server/visit.ts';
import { formatPhone, inReais, plural, shortTime } from '../text/format.ts';
import { Submit } from './buttons.tsx';
import { Line } from './components.tsx';
import { CetLine, Schedule } from './costs.tsx';
import { Field, FormAlert } from './field.tsx';
import { Clock } from './icons.tsx';

type Quote = components['schemas']['Quote'];

/**
 * A form with an idempotency key: a second submit has no effect. The browser saves the typed values in this tab, so that they survive a
 * lost connection (browser/saved-input.ts).
 */
export function PostForm(props: {
  /** Defaults to the visit of the page. */
  visit?: Pick<PersonalVisit, 'formKey'>;
  action: string;
  class?: string;
  id?: string;
  /** Submits the form without leaving the page (browser/till.ts). */
  sendsInPlace?: boolean;
  isUpload?: boolean;
  children: ComponentChildren;
}) {
  const visit = useVisit();
  const { action, id, sendsInPlace, isUpload, children } = props;
  const encoding = isUpload ? { encType: 'multipart/form-data' } : {};
  return (
    <form
      action={action}
      method="post"
      class={props.class}
      id={id}
      data-once
      data-save-input={sendsInPlace ? 'sending' : true}
      noValidate
      {...encoding}
    >
      <input type="hidden" name="chave" value={(props.visit ?? visit).formKey()} />
      {children}
    </form>
  );
}

export const ButtonForm = (props: { action: string; text: string; quiet?: boolean; wide?: boolean }) => {
  const { action, text, ...button } = props;
  return (
    <PostForm action={action}>
      <Submit {...button}>{text}</Submit>
    </PostForm>
  );
};

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

/** Says what the page waits for. `expiresAt` adds a countdown. */
export function Waiting(props: {
  expiresAt?: string | false;
  now: Date;
  end?: string;
  children: ComponentChildren;
}) {
  const { expiresAt, now, end = '.', children } = props;
  const seconds = expiresAt && Math.max(0, Math.round((Date.parse(expiresAt) - now.getTime()) / 1000));
  return (
    <p class="waiting">
      <Clock />
      <span>
        {children}
        {expiresAt && <span data-countdown={seconds} aria-hidden="true" />}
        {end}
      </span>
    </p>
  );
}

/** A text to copy. Without scripts there is no button. */
export const CopyField = (props: { id: string; label: string; value: string }) => (
  <div class="field">
    <label for={props.id}>{props.label}</label>
    <input id={props.id} readOnly value={props.value} />
  </div>
);

/** A code for the application of a bank: to copy, or to scan. */
export const BankCode = (props: {
  label: string;
  copyText: string;
  code: string;
  qrCode: string;
  qrText: string;
  steps: [open: string, confirm: string];
}) => (
  <>
    <button class="button wide" type="button" data-copy="brcode" hidden>
      {props.copyText}
    </button>
    <CopyField id="brcode" label={props.label} value={props.code} />
    <ol class="plain-steps">
      <li>{props.steps[0]}</li>
      <li>Cole o código copiado ou aponte a câmera para o QR code.</li>
      <li>{props.steps[1]} Esta página se atualiza sozinha.</li>
    </ol>
    <img class="qr" src={props.qrCode} alt={props.qrText} />
  </>
);

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
export const CodeField = (props: { name?: string; label?: string; focus?: boolean }) => (
  <Field
    name="code"
    label="Código de 6 números"
    {...props}
    inputmode="numeric"
    autocomplete="one-time-code"
    maxLength={7}
  />
);

export const CodeForm = (props: {
  action: string;
  submitText: string;
  /** Posts to the `reenviar` path below the form's. */
  canResend?: boolean;
  children?: ComponentChildren;
}) => (
  <PostForm action={props.action} class="panel">
    {props.children}
    <CodeField focus />
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
          <PostForm action={`${props.action}/${id}`}>
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
