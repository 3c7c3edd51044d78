import { isProblem } from '#client';
import { isNoDay, readDate } from '../text/format.ts';
import { again } from './form.ts';
import { readCode, refuseCode, type Steps } from './sign-in.ts';
import type { FormOutcome, FormVisit, Sent } from './visit.ts';
import { missing, NO_SUCH_DAY } from './words.ts';

/** Makes the account that the form (ui/sign-up-fields.tsx) asks for. */
export async function signUp(visit: FormVisit, sent: Sent, steps: Steps): Promise<FormOutcome> {
  const { api, proof, idempotencyKey } = visit;
  if (!proof) return { to: steps.phone };
  const code = proof.code ?? readCode(sent);
  const faults = faultsIn(sent, code);
  if (Object.keys(faults).length > 0) return again(visit, sent, faults);
  const [password, invitation] = [sent.secret('password'), sent.text('referral_code').toUpperCase()];
  try {
    const login = await api.signUp({
      body: {
        phone: proof.phone,
        challenge_id: proof.challengeId,
        code,
        name: sent.text('name'),
        cpf: sent.text('cpf'),
        birth_date: readDate(sent.text('birth_date')),
        email: sent.text('email'),
        terms: sent.text('terms'),
        ...(password && { password }),
        ...(invitation && { referral_code: invitation }),
      },
      idempotencyKey,
    });
    return { ...(await steps.done(login)), login };
  } catch (error) {
    if (isProblem(error, 'phone_registered')) {
      const note = 'Este celular já tem conta: é só entrar.';
      return { to: steps.code, flash: { page: steps.code, values: { code }, note } };
    }
    return refuseCode(visit, sent, error, proof);
  }
}

function faultsIn(sent: Sent, code: string): Record<string, string> {
  const faults: Record<string, string> = {};
  if (!code) faults.code = missing('code');
  for (const name of ['name', 'cpf', 'birth_date', 'email'])
    if (!sent.text(name)) faults[name] = missing(name);
  if (sent.text('name') && !/\S\s+\S/.test(sent.text('name'))) faults.name = missing('name');
  if (isNoDay(sent.text('birth_date'))) faults.birth_date = NO_SUCH_DAY;
  if (!sent.text('terms')) faults.terms = 'Para criar a conta, é preciso aceitar os termos.';
  const password = sent.secret('password');
  if (password && password.length < 8) faults.password = missing('password');
  return faults;
}
