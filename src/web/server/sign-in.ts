import { isProblem } from '#client';
import { readPhone } from '../text/format.ts';
import { again, told } from './form.ts';
import type { AnyLogin } from './people.ts';
import type { FormOutcome, FormVisit, PersonalVisit, Proof, Sent } from './visit.ts';
import { faultOf, missing, wait } from './words.ts';

/** Only to pages for one person: nobody is led elsewhere by an address, nor signed out. */
export const safe = (to: string | undefined): string | undefined =>
  to && /^\/(?:carteira|pagar|balcao)(?:[/?][\w\-/?=&%.]*)?$/.test(to) && !/\/sair\b/.test(to)
    ? to
    : undefined;

/** The address of a page that continues to `to` afterwards. */
export const leadingTo = (page: string, to: string | undefined) =>
  to ? `${page}?${new URLSearchParams({ para: to })}` : page;

/** Sends a code and redirects to the page that asks for it. */
export async function sendCode(
  visit: FormVisit,
  sent: Sent,
  given: { to: string; after?: string | undefined; invitation?: string | undefined; phone?: string },
): Promise<FormOutcome> {
  const { api, people, page, proof } = visit;
  const phone = given.phone ?? readPhone(sent.text('phone'));
  if (!phone) return again(visit, sent, { phone: missing('phone') });
  const goOn = (challengeId: string): FormOutcome => ({
    to: given.to,
    proof: { phone, challengeId, to: given.after, invitation: given.invitation },
  });
  try {
    return goOn((await people.sendCode(api, phone)).challenge_id);
  } catch (error) {
    // The code sent before is still valid.
    if (isProblem(error, 'otp_too_soon') && proof?.phone === phone && page !== given.to) {
      const note = `Use o código que já enviamos. Para pedir outro, espere ${wait(error.retryAfterMs)}.`;
      return { ...goOn(proof.challengeId), ...told(given.to, note) };
    }
    return again(visit, sent, faultOf(error));
  }
}

/** Sends a code. Whoever has just got one uses that. */
export async function codeTo(
  { api, people }: FormVisit,
  phone: string,
  had: { phone?: string; challengeId?: string } | undefined,
): Promise<string> {
  try {
    return (await people.sendCode(api, phone)).challenge_id;
  } catch (error) {
    if (isProblem(error, 'otp_too_soon') && had?.phone === phone && had.challengeId) return had.challengeId;
    throw error;
  }
}

/** Sends a code to who is signed in, to change what `own` says. */
export async function ownCode(visit: FormVisit, own: NonNullable<Proof['own']>): Promise<Proof> {
  const { phone } = visit.who!;
  return { phone, challengeId: await codeTo(visit, phone, visit.proof), own };
}

/** The code that was sent to who is signed in, to change something. */
export const ownProof = ({ proof, who }: Pick<PersonalVisit, 'proof' | 'who'>): Proof | undefined =>
  proof?.own && proof.phone === who?.phone ? proof : undefined;

/** Sends another code for the same purpose; typed values are kept. */
export async function resend(visit: FormVisit, sent: Sent): Promise<FormOutcome> {
  const { proof, page } = visit;
  if (!proof) return { to: page };
  const { phone, to, invitation } = proof;
  const outcome = await sendCode(visit, sent, { to: page, after: to, invitation, phone });
  if (outcome.flash) return outcome;
  const { code: _, ...values } = sent.values();
  return { ...outcome, flash: { page, values, note: 'Enviamos outro código.' } };
}

/** The service blocks a code after this many wrong attempts. */
const MOST_WRONG_CODES = 5;

/** Back to the form of a refused code, with the count of wrong ones: the service gives the same answer for a wrong and a blocked code. */
export function refuseCode(visit: FormVisit, sent: Sent, error: unknown, proof: Proof): FormOutcome {
  if (!isProblem(error, 'invalid_credentials')) return { ...again(visit, sent, faultOf(error)), proof };
  const wrong = (proof.wrong ?? 0) + 1;
  const text =
    wrong >= MOST_WRONG_CODES
      ? `Este código foi bloqueado depois de ${MOST_WRONG_CODES} tentativas erradas. Para continuar, toque em “Enviar outro código”.`
      : 'Código incorreto ou vencido. Confira os números ou peça outro.';
  return { ...again(visit, sent, { code: text }), proof: { ...proof, wrong, code: undefined } };
}

/** The pages of a sign-in or a sign-up, and what follows it. */
export type Steps = {
  /** Where the phone is asked for. */
  phone: string;
  code: string;
  /** Where somebody new completes the sign-up, if anybody can. */
  data?: string;
  done(login: AnyLogin): FormOutcome | Promise<FormOutcome>;
};

/** Signs in with the code. Somebody new goes on to sign up with it. */
export async function signInByCode(visit: FormVisit, sent: Sent, steps: Steps): Promise<FormOutcome> {
  const { api, people, proof } = visit;
  if (!proof) return { to: steps.phone };
  const code = readCode(sent);
  const { phone, challengeId } = proof;
  try {
    const login = await people.logInByCode(api, { phone, challenge_id: challengeId, code });
    return { ...(await steps.done(login)), login };
  } catch (error) {
    // The code is right; it can be used to sign up.
    if (steps.data && isProblem(error, 'not_registered')) {
      const note = 'Este celular ainda não tem conta. Complete os seus dados para criar a sua.';
      return { ...told(steps.data, note), proof: { ...proof, code } };
    }
    return refuseCode(visit, sent, error, proof);
  }
}

/** Ends this session, in all tabs. */
export async function signOut({ api, people, refreshToken }: FormVisit, to: string): Promise<FormOutcome> {
  if (refreshToken) await people.logOut(api, refreshToken);
  return { to, isOver: true };
}

/** Accepts 314 159. */
export const readCode = (sent: Sent, name = 'code') => sent.text(name).replace(/\D/g, '');
