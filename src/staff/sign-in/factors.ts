import { randomBytes } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Static } from 'typebox';
import type { Tx } from '#platform/database/db.ts';
import { countFailures, purgeAttempts } from '#platform/http/attempt-limits.ts';
import { randomText } from '#platform/ids.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/vault.ts';
import type { Staff } from '../staff.ts';
import { wrongFactors } from './limits.ts';
import { factorWrong, lastFactor, secondFactorMissing, sessionEnded } from './problems.ts';
import type { FactorForm, Factors } from './schemas.ts';
import {
  findPerson,
  insertPasskey,
  listPasskeys,
  lockPerson,
  lockSession,
  markChallenge,
  markNonce,
  markPasskeyUsed,
  markRecoveryCodes,
  markTotp,
  markVerified,
  type Person,
  removePasskey,
  type SessionRow,
} from './store.ts';
import { base32, findStep, totpUri } from './totp.ts';

/** Without letters and digits that look alike. */
const RECOVERY_CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const RECOVERY_CODES = 10;
/** Of passkeys: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** The secret is not stored: it follows from LOOKUP_KEY. */
const secretOf = (vault: Vault, memberId: string, nonce: string): Buffer =>
  vault.hash('staff totp', `${memberId} ${nonce}`).subarray(0, 20);
const recoveryHash = (vault: Vault, memberId: string, code: string): Buffer =>
  vault.hash('staff recovery', `${memberId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

type SessionKey = { memberId: string; sessionId: string };
type LockedSession = { tx: Tx; person: Person; session: SessionRow };

/** In a transaction that has locked the person and the session. */
const holding = <T>({ db }: Staff, at: SessionKey, work: (held: LockedSession) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    const person = await lockPerson(tx, at.memberId);
    const session = await lockSession(tx, at.sessionId);
    if (!person || !session) throw sessionEnded();
    return work({ tx, person, session });
  });

/** Wrong ones are counted for the person, however many sessions they begin. */
export async function proveFactor(staff: Staff, at: SessionKey, given: Static<typeof FactorForm>) {
  const { db, clock, vault } = staff;
  const now = clock.now();
  const counted = wrongFactors(vault, at.memberId);
  await countFailures(db, { counted: [counted], now, isFailed: () => false }, () =>
    holding(staff, at, async (held) => {
      const isRight =
        given.passkey === undefined
          ? await checkCode(staff, held, given.code!, now)
          : await checkPasskey(staff, held, given.passkey, now);
      if (!isRight) throw factorWrong();
      await purgeAttempts(held.tx, counted);
      await markVerified(held.tx, at.sessionId, now);
    }),
  );
}

async function checkCode({ vault }: Staff, { tx, person }: LockedSession, code: string, now: Date) {
  const { id, totp_nonce: nonce, totp_step: used, recovery_hashes: left } = person;
  if (/^\d{6}$/.test(code)) {
    const step = nonce === null ? undefined : findStep(secretOf(vault, id, nonce), code, now, used);
    if (step !== undefined) await markTotp(tx, id, nonce, step);
    return step !== undefined;
  }
  const hash = recoveryHash(vault, id, code);
  const others = left.filter((one) => !one.equals(hash));
  if (others.length === left.length) return false;
  await markRecoveryCodes(tx, id, others);
  return true;
}

/** Whom passkeys belong to. In the sandbox the office may listen on any port of this machine. */
function partyOf({ inviteLink, mode }: Staff, response?: { response?: { clientDataJSON?: unknown } }) {
  const { origin, hostname } = new URL(inviteLink);
  const told = response?.response?.clientDataJSON;
  if (mode === 'live' || typeof told !== 'string') return { expectedOrigin: origin, expectedRPID: hostname };
  const sent = originIn(told);
  const isHere = sent !== undefined && new URL(sent).hostname === hostname;
  return { expectedOrigin: isHere ? sent : origin, expectedRPID: hostname };
}

function originIn(clientDataJson: string): string | undefined {
  try {
    const { origin } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { origin: string };
    return URL.canParse(origin) ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** What the library throws is a response that is not right. */
const orWrong = <T>(verified: Promise<T>): Promise<T> =>
  verified.catch(() => {
    throw factorWrong();
  });

async function checkPasskey(staff: Staff, held: LockedSession, given: Record<string, unknown>, now: Date) {
  const { tx, person, session } = held;
  const key = (await listPasskeys(tx, person.id)).find(({ id }) => id === given.id);
  if (!key || session.challenge === null) return false;
  const response = given as unknown as AuthenticationResponseJSON;
  const { verified, authenticationInfo } = await orWrong(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: session.challenge,
      ...partyOf(staff, response),
      credential: { id: key.id, publicKey: new Uint8Array(key.public_key), counter: key.counter },
      requireUserVerification: false,
    }),
  );
  if (verified) await markPasskeyUsed(tx, key.id, authenticationInfo.newCounter, now);
  return verified;
}

export async function passkeyOptions(
  staff: Staff,
  { memberId, sessionId }: SessionKey,
  purpose: 'sign_in' | 'new',
): Promise<Record<string, unknown>> {
  const { db } = staff;
  const person = await findPerson(db, memberId);
  if (!person) throw sessionEnded();
  const keys = (await listPasskeys(db, memberId)).map(({ id }) => ({ id }));
  const rpID = partyOf(staff).expectedRPID;
  const options =
    purpose === 'sign_in'
      ? await generateAuthenticationOptions({ rpID, allowCredentials: keys, userVerification: 'preferred' })
      : await generateRegistrationOptions({
          rpID,
          rpName: 'Semana',
          userID: new Uint8Array(Buffer.from(memberId)),
          userName: person.email ?? person.name,
          userDisplayName: person.name,
          excludeCredentials: keys,
          supportedAlgorithmIDs: ALGORITHMS,
        });
  await markChallenge(db, sessionId, options.challenge);
  return options as unknown as Record<string, unknown>;
}

/** Adding a second factor needs a session that was verified with an existing one, if there is any. */
async function mayEnrol({ tx, person, session }: LockedSession): Promise<void> {
  if (session.verified_at) return;
  const has = person.totp_nonce !== null || (await listPasskeys(tx, person.id)).length > 0;
  if (has) throw secondFactorMissing();
}

/** The same secret until it is confirmed: after a mistyped code the application need not be set up again. */
export async function proposeTotp(staff: Staff, at: SessionKey) {
  const { nonce, account } = await holding(staff, at, async (held) => {
    await mayEnrol(held);
    const { email, name } = held.person;
    const nonce = held.session.totp_nonce ?? randomBytes(16).toString('base64url');
    await markNonce(held.tx, at.sessionId, nonce);
    return { nonce, account: email ?? name };
  });
  const secret = secretOf(staff.vault, at.memberId, nonce);
  return { secret: base32(secret), uri: totpUri(secret, account) };
}

export async function confirmTotp(staff: Staff, at: SessionKey, code: string, change: Change) {
  const { db, vault } = staff;
  const { now } = change;
  const counted = [wrongFactors(vault, at.memberId)];
  return countFailures(db, { counted, now, isFailed: () => false }, () =>
    holding(staff, at, async (held) => {
      await mayEnrol(held);
      const nonce = held.session.totp_nonce;
      const step =
        nonce === null ? undefined : findStep(secretOf(vault, at.memberId, nonce), code, now, null);
      if (step === undefined) throw factorWrong();
      await markTotp(held.tx, at.memberId, nonce, step);
      await purgeAttempts(held.tx, counted[0]!);
      return enrolled(staff, held, change, { factor: 'totp' });
    }),
  );
}

export async function addPasskey(
  staff: Staff,
  at: SessionKey,
  { name, passkey }: { name: string; passkey: Record<string, unknown> },
  change: Change,
): Promise<string[]> {
  return holding(staff, at, async (held) => {
    await mayEnrol(held);
    if (held.session.challenge === null) throw factorWrong();
    const response = passkey as unknown as RegistrationResponseJSON;
    const { verified, registrationInfo } = await orWrong(
      verifyRegistrationResponse({
        response,
        expectedChallenge: held.session.challenge,
        ...partyOf(staff, response),
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    if (!verified) throw factorWrong();
    const { id, publicKey, counter } = registrationInfo.credential;
    const public_key = Buffer.from(publicKey);
    const key = { id, member_id: at.memberId, name, public_key, counter, created_at: change.now };
    if (!(await insertPasskey(held.tx, key))) throw factorWrong();
    return enrolled(staff, held, change, { factor: 'passkey', name });
  });
}

/** The session is complete from now on. Recovery codes come with the first factor. */
async function enrolled(
  { vault }: Staff,
  { tx, person, session }: LockedSession,
  change: Change,
  shown: object,
): Promise<string[]> {
  await markVerified(tx, session.id, change.now);
  await recordCreation(tx, change, { kind: 'staff', id: person.id }, shown);
  if (person.recovery_hashes.length > 0) return [];
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    randomText(10, RECOVERY_CHARACTERS).replace(/^.{5}/, '$&-'),
  );
  const hashes = codes.map((code) => recoveryHash(vault, person.id, code));
  await markRecoveryCodes(tx, person.id, hashes);
  return codes;
}

export async function listFactors({ db }: Staff, memberId: string): Promise<Static<typeof Factors>> {
  const person = await findPerson(db, memberId);
  if (!person) throw sessionEnded();
  const passkeys = await listPasskeys(db, memberId);
  return {
    totp: person.totp_nonce !== null,
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    recovery_codes: person.recovery_hashes.length,
  };
}

/** False: there is none with this id. */
export async function removeFactor(staff: Staff, at: SessionKey, id: string, change: Change) {
  return holding(staff, at, async ({ tx, person }) => {
    const passkeys = await listPasskeys(tx, at.memberId);
    const isThere = id === 'totp' ? person.totp_nonce !== null : passkeys.some((key) => key.id === id);
    if (!isThere) return false;
    const left = passkeys.length + (person.totp_nonce === null ? 0 : 1) - 1;
    if (left === 0 && staff.mode === 'live') throw lastFactor();
    if (id === 'totp') await markTotp(tx, at.memberId, null, null);
    else await removePasskey(tx, at.memberId, id);
    if (left === 0) await markRecoveryCodes(tx, at.memberId, []);
    const factor = id === 'totp' ? 'totp' : 'passkey';
    await recordCreation(tx, change, { kind: 'staff', id: at.memberId }, { factor, removed: true });
    return true;
  });
}
