import type { InputHTMLAttributes } from 'preact';

type InputAttributes = InputHTMLAttributes<HTMLInputElement>;

/** A field with its label, hint and error, linked for screen readers. */
export function Field(props: {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  type?: 'text' | 'email' | 'tel' | 'search' | 'password' | 'datetime-local';
  autocomplete?: string;
  placeholder?: string;
  inputmode?: 'decimal' | 'tel' | 'email' | 'numeric';
  /** The input mask of the script: see browser/masks.ts. Without scripts any common notation is accepted. */
  mask?: 'phone' | 'cpf' | 'date' | 'money';
  optional?: boolean;
  /** Not required, and not labelled optional: another field may be given instead. */
  loose?: boolean;
  /** In a form that is updated while typing: the element for the error is always there. */
  live?: boolean;
  rows?: number;
  maxLength?: number;
  focus?: boolean | undefined;
}) {
  const { name, label, value = '', hint, error, type = 'text', optional, rows, maxLength, live } = props;
  const shared = {
    id: name,
    name,
    required: !optional && !props.loose,
    maxLength,
    ...describe(name, { hint, error }),
    ...(props.focus && { autofocus: true }),
  };
  const { autocomplete, inputmode, placeholder, mask } = props;
  const input = {
    ...shared,
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
        <textarea {...shared} rows={rows}>
          {value}
        </textarea>
      ) : type === 'password' ? (
        <div class="secret">
          <input {...input} />
          <button class="link" type="button" data-show={name} aria-pressed={false} hidden>
            Mostrar<span class="sr"> a senha</span>
          </button>
        </div>
      ) : (
        <input {...input} />
      )}
      <FieldError name={name} error={error} live={live} />
    </div>
  );
}

type FieldProps = Parameters<typeof Field>[0];

export const PhoneField = (props: Omit<FieldProps, 'type' | 'mask' | 'maxLength'>) => (
  <Field type="tel" mask="phone" autocomplete="tel-national" maxLength={30} {...props} />
);

export const MoneyField = (props: Omit<FieldProps, 'mask' | 'inputmode'>) => (
  <Field mask="money" inputmode="decimal" {...props} />
);

/** Links a control to its hint and its error. */
export function describe(
  name: string,
  { hint, error }: { hint?: string | undefined; error?: string | undefined },
) {
  const described = [hint && `${name}-dica`, error && `${name}-erro`].filter(Boolean).join(' ');
  return {
    ...(described && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': true as const }),
  };
}

export const FieldError = (props: { name: string; error: string | undefined; live?: boolean | undefined }) =>
  props.error || props.live ? (
    <p class="error" id={`${props.name}-erro`} {...(props.live && { 'aria-live': 'polite' as const })}>
      {props.error}
    </p>
  ) : null;
