import type { ComponentChildren } from 'preact';
import { type CodeChallenge, useVisit } from '../server/visit.ts';
import {
  buildAriaAttributes,
  CodeField,
  Field,
  FieldError,
  PasswordField,
  useSubmittedField,
} from './forms.tsx';

/**
 * The fields that server/sign-in.ts reads. The field for the code is omitted if the code was already verified. `children` are
 * rendered before the terms.
 */
export function SignUpFields(props: {
  challenge: CodeChallenge;
  termsVersion: string;
  children?: ComponentChildren;
}) {
  const { flash } = useVisit();
  return (
    <>
      {!props.challenge.code && <CodeField focus={!flash?.errors && !flash?.values?.code} />}
      <Field name="name" label="Nome completo" autocomplete="name" maxLength={200} />
      <Field
        name="cpf"
        label="CPF"
        mask="cpf"
        inputmode="numeric"
        maxLength={14}
        hint="Usamos só na análise de crédito. Ele nunca aparece inteiro na tela."
      />
      <Field
        name="birth_date"
        label="Data de nascimento"
        mask="date"
        inputmode="numeric"
        autocomplete="bday"
        maxLength={10}
        placeholder="31/05/1990"
      />
      <Field name="email" label="E-mail" type="email" autocomplete="email" maxLength={254} />
      <PasswordField
        optional
        hint="Pelo menos 8 caracteres. Sem senha, você entra sempre com um código por SMS."
      />
      {props.children}
      <Terms version={props.termsVersion} />
    </>
  );
}

function Terms({ version }: { version: string }) {
  const { error, value, focus } = useSubmittedField('terms');
  return (
    <div class="field check">
      <input
        type="checkbox"
        id="terms"
        name="terms"
        value={version}
        checked={value === version}
        required
        {...buildAriaAttributes('terms', { error })}
        {...(focus && { autofocus: true })}
      />
      <label for="terms">
        Li e aceito os{' '}
        <a href="/termos" target="_blank" rel="noopener">
          termos de uso
        </a>{' '}
        e o uso dos meus dados descrito neles.
      </label>
      <FieldError name="terms" error={error} />
    </div>
  );
}
