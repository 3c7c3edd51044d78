import { isProblem } from '#client';
import { parseCpf } from '#core/values/cpf.ts';
import { isImpossibleDate, parseDate, parsePhone } from '../text/format.ts';
import type { AnyLogin } from './accounts.ts';
import { redirectWithNote, redisplayForm } from './form.ts';
import { formatWait, getInvalidFieldText, INVALID_DATE_TEXT, toFieldErrors } from './problem-texts.ts';
import type { FieldErrors, SubmittedForm } from './submitted-form.ts';
import type { CodeChallenge, FormOutcome, FormVisit, PersonalVisit } from './visit.ts';

/** Allows only personal pages and not the sign-out: a URL from outside can neither lead to another site nor sign the user out. */
export const sanitizeRedirect = (path: string | undefined): string | undefined =>
  path && /^\/(?:carteira|pagar|balcao)(?:[/?][\w\-/?=&%.]*)?$/.test(path) && !/\/sair\b/.test(path)
    ? path
    : undefined;

/** Adds to the URL of a page the path to redirect to afterwards. */
export const addRedirectParam = (pagePath: string, redirectTo: string | undefined) =>
  redirectTo ? `${pagePath}?${new URLSearchParams({ para: redirectTo })}` : pagePath;

/** Sends a code and redirects to its page. If a code was just sent to this phone, the page asks for that one. */
export async function sendCodeAndRedirect(
  visit: FormVisit,
  form: SubmittedForm,
  options: {
    codePagePath: string;
    redirectTo?: string | undefined;
    referralCode?: string | undefined;
    /** Defaults to the phone in the form. */
    phone?: string;
  },
): Promise<FormOutcome> {
  const { api, accounts, pagePath, challenge } = visit;
  const { codePagePath, redirectTo, referralCode } = options;
  const phone = options.phone ?? parsePhone(form.readText('phone'));
  if (!phone) return redisplayForm(visit, form, { phone: getInvalidFieldText('phone') });
  const createChallenge = (challengeId: string) => ({ phone, challengeId, redirectTo, referralCode });
  try {
    const { challenge_id } = await accounts.sendCode(api, phone);
    return { redirectTo: codePagePath, challenge: createChallenge(challenge_id) };
  } catch (error) {
    // The code sent before is still valid.
    if (isProblem(error, 'otp_too_soon') && challenge?.phone === phone && pagePath !== codePagePath) {
      const note = `Use o código que já enviamos. Para pedir outro, espere ${formatWait(error.retryAfterMs)}.`;
      return { ...redirectWithNote(codePagePath, note), challenge: createChallenge(challenge.challengeId) };
    }
    return redisplayForm(visit, form, toFieldErrors(error));
  }
}

/** Sends a code and returns its challenge id. If a code was just sent to this phone, returns the id of that one. */
export async function sendOrReuseCode(
  { api, accounts }: FormVisit,
  phone: string,
  lastChallenge: { phone?: string; challengeId?: string } | undefined,
): Promise<string> {
  try {
    return (await accounts.sendCode(api, phone)).challenge_id;
  } catch (error) {
    if (
      isProblem(error, 'otp_too_soon') &&
      lastChallenge?.phone === phone &&
      lastChallenge.challengeId !== undefined
    )
      return lastChallenge.challengeId;
    throw error;
  }
}

/** Sends a code to the signed-in user, who confirms a change with it. */
export async function sendChangeCode(
  visit: FormVisit,
  pendingChange: NonNullable<CodeChallenge['pendingChange']>,
): Promise<CodeChallenge> {
  const { phone } = visit.user!;
  return { phone, challengeId: await sendOrReuseCode(visit, phone, visit.challenge), pendingChange };
}

/** Finds the challenge by which the signed-in user confirms a change. */
export const findChangeChallenge = ({ challenge, user }: Pick<PersonalVisit, 'challenge' | 'user'>) =>
  challenge?.pendingChange && challenge.phone === user?.phone ? challenge : undefined;

/** Sends another code for the same purpose. The form shows the typed values again. */
export async function resendCode(visit: FormVisit, form: SubmittedForm): Promise<FormOutcome> {
  const { challenge, pagePath } = visit;
  if (!challenge) return { redirectTo: pagePath };
  const { phone, redirectTo, referralCode } = challenge;
  const outcome = await sendCodeAndRedirect(visit, form, {
    codePagePath: pagePath,
    redirectTo,
    referralCode,
    phone,
  });
  if (outcome.flash) return outcome; // No code was sent: the flash has the error.
  const { code: _, ...values } = form.listRedisplayableValues();
  return { ...outcome, flash: { pagePath, values, note: 'Enviamos outro código.' } };
}

export const MIN_PASSWORD_LENGTH = 8;
/** The service blocks a code after this many wrong attempts. */
const MAX_WRONG_CODES = 5;

/**
 * Redirects back to the form after the service rejected its code or failed otherwise. Wrong codes are counted here, because the
 * service gives the same response for a wrong and for a blocked code.
 */
export function redisplayWithError(
  visit: FormVisit,
  form: SubmittedForm,
  error: unknown,
  challenge: CodeChallenge,
): FormOutcome {
  if (!isProblem(error, 'invalid_credentials'))
    return { ...redisplayForm(visit, form, toFieldErrors(error)), challenge };
  const wrongAttempts = (challenge.wrongAttempts ?? 0) + 1;
  const text =
    wrongAttempts >= MAX_WRONG_CODES
      ? `Este código foi bloqueado depois de ${MAX_WRONG_CODES} tentativas erradas. Para continuar, toque em “Enviar outro código”.`
      : 'Código incorreto ou vencido. Confira os números ou peça outro.';
  return {
    ...redisplayForm(visit, form, { code: text }),
    challenge: { ...challenge, wrongAttempts, code: undefined },
  };
}

export type SignInSteps = {
  phonePagePath: string;
  codePagePath: string;
  /** Where a new user completes the sign-up; undefined if the app has no sign-up. */
  signUpPagePath?: string;
  onLogin(login: AnyLogin): FormOutcome | Promise<FormOutcome>;
};

/** Signs in with the code. A new user goes on to sign up with it. */
export async function signInByCode(visit: FormVisit, form: SubmittedForm, steps: SignInSteps) {
  const { api, accounts, challenge } = visit;
  if (!challenge) return { redirectTo: steps.phonePagePath };
  const code = readCode(form);
  const { phone, challengeId } = challenge;
  try {
    const login = await accounts.logInByCode(api, { phone, challenge_id: challengeId, code });
    return { ...(await steps.onLogin(login)), login };
  } catch (error) {
    // The code is right, and can be used to sign up.
    if (steps.signUpPagePath && isProblem(error, 'not_registered')) {
      const note = 'Este celular ainda não tem conta. Complete os seus dados para criar a sua.';
      return { ...redirectWithNote(steps.signUpPagePath, note), challenge: { ...challenge, code } };
    }
    return redisplayWithError(visit, form, error, challenge);
  }
}

/** Ends this session, in all tabs. */
export async function signOut(
  { api, accounts, refreshToken }: FormVisit,
  redirectTo: string,
): Promise<FormOutcome> {
  if (refreshToken) await accounts.logOut(api, refreshToken);
  return { redirectTo, endsSession: true };
}

/** Accepts spaces, as in 314 159. */
export const readCode = (form: SubmittedForm, name = 'code') => form.readText(name).replace(/\D/g, '');

/** Creates the account from the sign-up form (ui/sign-up-fields.tsx). */
export async function signUp(visit: FormVisit, form: SubmittedForm, steps: SignInSteps) {
  const { api, challenge, idempotencyKey } = visit;
  if (!challenge) return { redirectTo: steps.phonePagePath };
  const code = challenge.code ?? readCode(form);
  const errors = validateSignUp(form, code);
  if (Object.keys(errors).length > 0) return redisplayForm(visit, form, errors);
  const password = form.readUntrimmed('password');
  const referralCode = form.readText('referral_code').toUpperCase();
  try {
    const login = await api.signUp({
      body: {
        phone: challenge.phone,
        challenge_id: challenge.challengeId,
        code,
        name: form.readText('name'),
        cpf: form.readText('cpf'),
        birth_date: parseDate(form.readText('birth_date')),
        email: form.readText('email'),
        terms: form.readText('terms'),
        ...(password && { password }),
        ...(referralCode && { referral_code: referralCode }),
      },
      idempotencyKey,
    });
    return { ...(await steps.onLogin(login)), login };
  } catch (error) {
    if (isProblem(error, 'phone_registered')) {
      const note = 'Este celular já tem conta: é só entrar.';
      return {
        redirectTo: steps.codePagePath,
        flash: { pagePath: steps.codePagePath, values: { code }, note },
      };
    }
    return redisplayWithError(visit, form, error, challenge);
  }
}

function validateSignUp(form: SubmittedForm, code: string): FieldErrors {
  const errors: FieldErrors = {};
  const fieldValidity = {
    code: code !== '',
    name: /\S\s+\S/.test(form.readText('name')), // a first name and a surname
    cpf: parseCpf(form.readText('cpf')) !== null,
    birth_date: form.readText('birth_date') !== '',
    email: /^\S+@\S+\.\S+$/.test(form.readText('email')),
  };
  for (const [name, isFieldValid] of Object.entries(fieldValidity))
    if (!isFieldValid) errors[name] = getInvalidFieldText(name);
  if (isImpossibleDate(form.readText('birth_date'))) errors.birth_date = INVALID_DATE_TEXT;
  if (!form.readText('terms')) errors.terms = 'Para criar a conta, é preciso aceitar os termos.';
  const password = form.readUntrimmed('password');
  if (password && password.length < MIN_PASSWORD_LENGTH) errors.password = getInvalidFieldText('password');
  return errors;
}
