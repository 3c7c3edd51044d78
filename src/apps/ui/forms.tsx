import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import type { Output } from '#client';
import type { FieldErrors, FieldValues, Flash } from '../server/submitted-form.ts';
import { type PersonalVisit, useVisit } from '../server/visit.ts';
import { formatPhone, formatShortTime } from '../text/format.ts';
import { Submit } from './buttons.tsx';
import { Clock } from './icons.tsx';

type InputAttributes = InputHTMLAttributes<HTMLInputElement>;

type Submission = { values?: FieldValues; errors?: FieldErrors };

/** The last submitted form: fields in this context show their submitted values and errors. */
export const SubmissionContext = createContext<Submission | undefined>(undefined);

export type FieldState = {
  name?: string;
  value: string | undefined;
  error?: string | undefined;
  focus?: boolean;
};

/** Creates a function that returns the props of a field: its submitted value, its error, and the focus if it is the first with an error. */
export function createFieldLookup(
  submission: Submission | undefined,
  defaults: Record<string, string | undefined> = {},
) {
  const errors = submission?.errors ?? {};
  const firstInvalidField = Object.keys(errors).find((name) => name !== 'form');
  return (name: string) => ({
    name,
    value: submission?.values?.[name] ?? defaults[name],
    error: errors[name],
    focus: name === firstInvalidField,
  });
}

export const useSubmittedField = (name: string) => createFieldLookup(useContext(SubmissionContext))(name);

/** The label, hint and error of the field are linked for screen readers. */
export function Field(props: {
  name: string;
  label: string;
  /** Rendered if no value was submitted. */
  value?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  type?: 'text' | 'email' | 'tel' | 'search' | 'password' | 'datetime-local';
  autocomplete?: string;
  placeholder?: string;
  inputmode?: 'decimal' | 'tel' | 'email' | 'numeric';
  /** The input mask applied by browser/masks.ts. Without scripts the server accepts any common notation. */
  mask?: 'phone' | 'cpf' | 'date' | 'money' | undefined;
  optional?: boolean;
  /** Not required, but not labelled as optional either: another field can be filled in instead. */
  notRequired?: boolean;
  /** The form is updated while typing, so the element for the error is always rendered. */
  live?: boolean;
  rows?: number;
  maxLength?: number;
  focus?: boolean | undefined;
}) {
  const { name, label, hint, type = 'text', optional, rows, maxLength, live } = props;
  const submittedField = useSubmittedField(name);
  const { value = props.value ?? '', error = props.error } = submittedField;
  const sharedAttributes = {
    id: name,
    name,
    required: !optional && !props.notRequired,
    maxLength,
    ...buildAriaAttributes(name, { hint, error }),
    ...((props.focus || submittedField.focus) && { autofocus: true }),
  };
  const { autocomplete, inputmode, placeholder, mask } = props;
  const inputAttributes = {
    ...sharedAttributes,
    type,
    value,
    autocomplete,
    placeholder,
    inputMode: inputmode,
    ...(mask && { 'data-mask': mask }),
  } as InputAttributes;
  return (
    <div class="field">
      <label for={name}>
        {label} {optional && <span class="muted">(opcional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${name}-dica`}>
          {hint}
        </p>
      )}
      {rows ? (
        <textarea {...sharedAttributes} rows={rows}>
          {value}
        </textarea>
      ) : type === 'password' ? (
        <div class="secret">
          <input {...inputAttributes} />
          <button class="link" type="button" data-show={name} aria-pressed={false} hidden>
            Mostrar<span class="sr"> a senha</span>
          </button>
        </div>
      ) : (
        <input {...inputAttributes} />
      )}
      <FieldError name={name} error={error} live={live} />
    </div>
  );
}

type FieldProps = Parameters<typeof Field>[0];

export const PhoneField = (props: Omit<FieldProps, 'type' | 'mask' | 'maxLength'>) => (
  <Field type="tel" mask="phone" autocomplete="tel-national" maxLength={30} {...props} />
);

/** The field is for a new password, unless `autocomplete` says otherwise. */
export const PasswordField = (
  props: Omit<FieldProps, 'name' | 'label' | 'type' | 'maxLength'> & { label?: string },
) => (
  <Field
    name="password"
    label="Senha"
    autocomplete="new-password"
    {...props}
    type="password"
    maxLength={200}
  />
);

export const Options = (props: {
  choices: Readonly<Record<string, string>>;
  selected: string | number | undefined;
}) => (
  <>
    {Object.entries(props.choices).map(([value, text]) => (
      <option key={value} value={value} selected={value === String(props.selected)}>
        {text}
      </option>
    ))}
  </>
);

export const MoneyField = (props: Omit<FieldProps, 'mask' | 'inputmode'>) => (
  <Field mask="money" inputmode="decimal" {...props} />
);

export function buildAriaAttributes(
  name: string,
  { hint, error }: { hint?: string | undefined; error?: string | undefined },
) {
  const ids = [hint && `${name}-dica`, error && `${name}-erro`].filter(Boolean).join(' ');
  return {
    ...(ids && { 'aria-describedby': ids }),
    ...(error && { 'aria-invalid': true as const }),
  };
}

export const FieldError = (props: { name: string; error: string | undefined; live?: boolean | undefined }) =>
  props.error || props.live ? (
    <p class="error" id={`${props.name}-erro`} {...(props.live && { 'aria-live': 'polite' as const })}>
      {props.error}
    </p>
  ) : null;

/** The error of the whole form, or a hint that fields have errors. It gets the focus if no field has an error. */
export const FormAlert = ({ errors }: { errors: Record<string, string> }) => {
  const hasFieldErrors = Object.keys(errors).some((name) => name !== 'form');
  return (
    <p class="alert" role="alert" tabIndex={-1} {...(!hasFieldErrors && { autofocus: true })}>
      {errors.form ?? 'Confira o campo marcado abaixo.'}
    </p>
  );
};

/**
 * A form with an idempotency key: a second submit has no effect. The browser saves the typed values in this tab, so that they survive a
 * lost connection (browser/saved-input.ts).
 */
export function PostForm(props: {
  /** Defaults to the visit of the page. */
  visit?: Pick<PersonalVisit, 'createFormKey'> | undefined;
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
      data-save-input={sendsInPlace ? 'in-place' : true}
      noValidate
      {...encoding}
    >
      <input type="hidden" name="chave" value={(props.visit ?? visit).createFormKey()} />
      {children}
    </form>
  );
}

export const HiddenInputs = ({ values }: { values: Readonly<Record<string, string | number>> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);

/** A form with nothing but a button. `values` are sent with it; `variant` is the class of the button. */
export const ButtonForm = (props: {
  visit?: Pick<PersonalVisit, 'createFormKey'>;
  action: string;
  text: ComponentChildren;
  variant?: string;
  values?: Readonly<Record<string, string | number>>;
}) => (
  <PostForm visit={props.visit} action={props.action}>
    {props.values && <HiddenInputs values={props.values} />}
    <Submit class={props.variant}>{props.text}</Submit>
  </PostForm>
);

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
 * Attributes of an element that browser/personal-pages.ts replaces when its `state` changes. `stream` is the URL of the server-sent
 * events that report a change, or false if no change is expected.
 */
export const buildLiveRegion = (id: string, state: string, stream: string | false) => ({
  id,
  tabIndex: -1,
  'aria-live': 'polite' as const,
  'data-state': state,
  ...(stream && { 'data-stream': stream }),
});

/** Says what the page waits for. `expiresAt` adds a countdown, and `ending` is the punctuation at the end. */
export function Waiting(props: {
  expiresAt?: string | false;
  now: Date;
  ending?: string;
  children: ComponentChildren;
}) {
  const { expiresAt, now, ending = '.', children } = props;
  const seconds = expiresAt && Math.max(0, Math.round((Date.parse(expiresAt) - now.getTime()) / 1000));
  return (
    <p class="waiting">
      <Clock />
      <span>
        {children}
        {expiresAt && <span data-countdown={seconds} aria-hidden="true" />}
        {ending}
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

/** Says on a sign-in page that the visitor signed out, and that what they typed is saved. */
export const SignInNotes = (props: {
  visit: Pick<PersonalVisit, 'flash' | 'readQuery' | 'hasDraft'>;
  signedOutText: string;
  draftText: string;
}) => {
  const { flash, readQuery, hasDraft } = props.visit;
  if (flash) return null;
  return (
    <>
      {readQuery('saiu') !== undefined && (
        <p class="note good" role="status" data-signed-out>
          {props.signedOutText}
        </p>
      )}
      {hasDraft && (
        <p class="note warn" role="status">
          {props.draftText}
        </p>
      )}
    </>
  );
};

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
  /** Adds a button that posts to `reenviar` below the form's path. */
  canResend?: boolean;
  children?: ComponentChildren;
}) => (
  <PostForm action={props.action} class="panel">
    {props.children}
    <CodeField focus />
    <Submit class="wide">{props.submitText}</Submit>
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
  /** The path of the forms that end a session, without the id of the session. */
  action: string;
  deviceText: string;
  endText: string;
  buildEndLabel: (openedAt: string) => string;
}) => (
  <ul class="sessions">
    {props.sessions.map(({ id, is_current, created_at, refreshed_at }) => (
      <li key={id}>
        <span>
          <b>{is_current ? 'Este aparelho' : props.deviceText}</b>
          <small>
            entrou em {formatShortTime(created_at)}
            {refreshed_at !== created_at && `, usado por volta de ${formatShortTime(refreshed_at)}`}
          </small>
        </span>
        {!is_current && (
          <PostForm action={`${props.action}/${id}`}>
            <button
              class="button small quiet"
              type="submit"
              aria-label={props.buildEndLabel(formatShortTime(created_at))}
            >
              {props.endText}
            </button>
          </PostForm>
        )}
      </li>
    ))}
  </ul>
);
