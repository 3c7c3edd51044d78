import { createContext, type InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldErrors, FieldValues } from '../server/submitted-form.ts';

type InputAttributes = InputHTMLAttributes<HTMLInputElement>;

type Submission = { values?: FieldValues; errors?: FieldErrors };

/** The last submitted form: fields in this context show their submitted values and errors. */
export const SubmissionContext = createContext<Submission | undefined>(undefined);

/** Returns the props of a field by its name: the submitted value, its error, and the focus if it is the first field with an error. */
export function createFieldProps(
  submission: Submission | undefined,
  defaults: Record<string, string | undefined> = {},
) {
  const errors = submission?.errors ?? {};
  const firstInvalid = Object.keys(errors).find((name) => name !== 'form');
  return (name: string) => ({
    name,
    value: submission?.values?.[name] ?? defaults[name],
    error: errors[name],
    focus: name === firstInvalid,
  });
}

export const useSubmittedField = (name: string) => createFieldProps(useContext(SubmissionContext))(name);

/** A form field with its label, hint and error, linked for screen readers. */
export function Field(props: {
  name: string;
  label: string;
  /** Shown if no value was submitted. */
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
  const submitted = useSubmittedField(name);
  const { value = props.value ?? '', error = props.error } = submitted;
  const sharedAttributes = {
    id: name,
    name,
    required: !optional && !props.notRequired,
    maxLength,
    ...ariaAttributesFor(name, { hint, error }),
    ...((props.focus || submitted.focus) && { autofocus: true }),
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

export const MoneyField = (props: Omit<FieldProps, 'mask' | 'inputmode'>) => (
  <Field mask="money" inputmode="decimal" {...props} />
);

export function ariaAttributesFor(
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
