import type { InputHTMLAttributes } from 'preact';

type InputAttributes = InputHTMLAttributes<HTMLInputElement>;

/** A field with its label, its hint and what is wrong with it, tied together. */
export function Field(props: {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  type?: 'text' | 'email' | 'tel' | 'search' | 'password';
  autocomplete?: string;
  placeholder?: string;
  inputmode?: 'decimal' | 'tel' | 'email' | 'numeric';
  /** What a script makes of what is typed: see browser/masks.ts. Without it anything goes that people write. */
  mask?: 'phone' | 'cpf' | 'date' | 'money';
  optional?: boolean;
  /** Not needed by itself, and not called optional: another field may stand in for it. */
  loose?: boolean;
  /** In a form that answers while one types: what is wrong has its place before anything is. */
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

/** Ties a control to its hint and to what is wrong with it. */
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
