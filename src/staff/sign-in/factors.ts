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
import { limitFailures, purgeAttempts } from '#platform/http/attempt-limits.ts';
import { project } from '#platform/http/project.ts';
import { randomText } from '#platform/ids.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Vault } from '#platform/vault.ts';
import type { StaffDeps } from '../staff.ts';
import { buildWrongFactorCounter } from './limits.ts';
import { factorWrong, lastFactor, secondFactorMissing, sessionEnded } from './problems.ts';
import { type FactorForm, type Factors, Passkey } from './schemas.ts';
import type { SessionKey } from './sessions.ts';
import {
  deletePasskey,
  deleteTotp,
  findCredentials,
  insertPasskeyIfNew,
  listPasskeys,
  lockCredentials,
  lockSession,
  recordPasskeyUse,
  type SessionRow,
  type StaffCredentials,
  saveChallenge,
  saveProposedTotpNonce,
  saveTotp,
  setSessionVerified,
  updateRecoveryCodes,
} from './store.ts';
import { buildTotpUri, encodeBase32, findMatchingStep } from './totp.ts';

const RECOVERY_CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const RECOVERY_CODE_COUNT = 10;
const TOTP_SECRET_BYTES = 20;
/** COSE ids of the accepted passkey algorithms: EdDSA, ES256, RS256. */
const PASSKEY_ALGORITHMS = [-8, -7, -257];

/** The secret of one-time codes is not stored, but derived from LOOKUP_KEY and a stored nonce. */
const deriveTotpSecret = (vault: Vault, userId: string, nonce: string): Buffer =>
  vault.hash('staff totp', `${userId} ${nonce}`).subarray(0, TOTP_SECRET_BYTES);
const hashRecoveryCode = (vault: Vault, userId: string, code: string): Buffer =>
  vault.hash('staff recovery', `${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

type LockedSession = { tx: Tx; user: StaffCredentials; session: SessionRow };

/** Runs `work` in a transaction that has locked the staff user and the session. */
const withLockedSession = <T>(
  { db }: StaffDeps,
  { userId, sessionId }: SessionKey,
  work: (context: LockedSession) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    const user = await lockCredentials(tx, userId);
    const session = await lockSession(tx, sessionId);
    if (!user || !session) throw sessionEnded();
    return work({ tx, user, session });
  });

/** For `limitFailures`: a wrong factor throws a problem, so no result counts as failed. */
const neverFails = () => false;

/** Verifies the second factor of a session. Wrong factors are counted per staff user, for all sessions together. */
export async function verifySecondFactor(
  deps: StaffDeps,
  sessionKey: SessionKey,
  form: Static<typeof FactorForm>,
) {
  const { db, clock, vault } = deps;
  const now = clock.now();
  const counter = buildWrongFactorCounter(vault, sessionKey.userId);
  await limitFailures(db, { counters: [counter], now, isFailed: neverFails }, () =>
    withLockedSession(deps, sessionKey, async (context) => {
      const isCorrect =
        form.passkey === undefined
          ? await consumeCode(deps, context, form.code!, now)
          : await verifyPasskeyAndRecordUse(deps, context, form.passkey, now);
      if (!isCorrect) throw factorWrong();
      await purgeAttempts(context.tx, counter);
      await setSessionVerified(context.tx, sessionKey.sessionId, now);
    }),
  );
}

/** Verifies a one-time code or a recovery code. A correct code cannot be used again. */
async function consumeCode({ vault }: StaffDeps, { tx, user }: LockedSession, code: string, now: Date) {
  const { id, totp_nonce: nonce, totp_step: lastUsedStep, recovery_hashes: hashes } = user;
  if (/^\d{6}$/.test(code)) {
    if (nonce === null) return false;
    const step = findMatchingStep(deriveTotpSecret(vault, id, nonce), code, { now, lastUsedStep });
    if (step === undefined) return false;
    await saveTotp(tx, id, { nonce, lastUsedStep: step });
    return true;
  }
  const hash = hashRecoveryCode(vault, id, code);
  const remainingHashes = hashes.filter((candidate) => !candidate.equals(hash));
  if (remainingHashes.length === hashes.length) return false;
  await updateRecoveryCodes(tx, id, remainingHashes);
  return true;
}

/** Resolves the relying party of passkeys: the back office, to which `inviteLink` leads. In the sandbox it may listen on any port of the host. */
function resolveRelyingParty(
  { inviteLink, mode }: StaffDeps,
  passkeyResponse?: { response?: { clientDataJSON?: unknown } },
) {
  const { origin, hostname } = new URL(inviteLink);
  const clientData = passkeyResponse?.response?.clientDataJSON;
  if (mode === 'live' || typeof clientData !== 'string')
    return { expectedOrigin: origin, expectedRPID: hostname };
  const clientOrigin = readClientOrigin(clientData);
  const isOwnHost = clientOrigin !== undefined && new URL(clientOrigin).hostname === hostname;
  return { expectedOrigin: isOwnHost ? clientOrigin : origin, expectedRPID: hostname };
}

function readClientOrigin(clientDataJson: string): string | undefined {
  try {
    const { origin } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { origin: string };
    return URL.canParse(origin) ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** Turns the exception that the library throws for an invalid response into a problem. */
const rejectAsWrongFactor = <T>(verification: Promise<T>): Promise<T> =>
  verification.catch(() => {
    throw factorWrong();
  });

async function verifyPasskeyAndRecordUse(
  deps: StaffDeps,
  context: LockedSession,
  passkeyResponse: Record<string, unknown>,
  now: Date,
) {
  const { tx, user, session } = context;
  const passkey = (await listPasskeys(tx, user.id)).find(({ id }) => id === passkeyResponse.id);
  if (!passkey || session.challenge === null) return false;
  const response = passkeyResponse as unknown as AuthenticationResponseJSON;
  const { verified, authenticationInfo } = await rejectAsWrongFactor(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: session.challenge,
      ...resolveRelyingParty(deps, response),
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
      requireUserVerification: false,
    }),
  );
  if (verified) await recordPasskeyUse(tx, passkey.id, authenticationInfo.newCounter, now);
  return verified;
}

/** Creates the WebAuthn options with which a browser signs in or registers a passkey, and saves their challenge in the session. */
export async function createPasskeyOptions(
  deps: StaffDeps,
  { userId, sessionId }: SessionKey,
  purpose: 'sign_in' | 'new',
): Promise<Record<string, unknown>> {
  const { db } = deps;
  const user = await findCredentials(db, userId);
  if (!user) throw sessionEnded();
  const passkeys = (await listPasskeys(db, userId)).map(({ id }) => ({ id }));
  const rpID = resolveRelyingParty(deps).expectedRPID;
  const options =
    purpose === 'sign_in'
      ? await generateAuthenticationOptions({
          rpID,
          allowCredentials: passkeys,
          userVerification: 'preferred',
        })
      : await generateRegistrationOptions({
          rpID,
          rpName: 'Semana',
          userID: new Uint8Array(Buffer.from(userId)),
          userName: user.email ?? user.name,
          userDisplayName: user.name,
          excludeCredentials: passkeys,
          supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
        });
  await saveChallenge(db, sessionId, options.challenge);
  return options as unknown as Record<string, unknown>;
}

/** A user who has a second factor must verify it before adding another. */
async function assertMayEnrol({ tx, user, session }: LockedSession): Promise<void> {
  if (session.verified_at) return;
  const hasFactor = user.totp_nonce !== null || (await listPasskeys(tx, user.id)).length > 0;
  if (hasFactor) throw secondFactorMissing();
}

/** Returns the same secret until a code confirms it, so that users need not scan the secret again after a mistyped code. */
export async function proposeTotp(deps: StaffDeps, sessionKey: SessionKey) {
  const { nonce, account } = await withLockedSession(deps, sessionKey, async (context) => {
    await assertMayEnrol(context);
    const { email, name } = context.user;
    const nonce = context.session.totp_nonce ?? randomBytes(16).toString('base64url');
    await saveProposedTotpNonce(context.tx, sessionKey.sessionId, nonce);
    return { nonce, account: email ?? name };
  });
  const secret = deriveTotpSecret(deps.vault, sessionKey.userId, nonce);
  return { secret: encodeBase32(secret), uri: buildTotpUri(secret, account) };
}

export async function confirmTotp(
  deps: StaffDeps,
  sessionKey: SessionKey,
  code: string,
  auditContext: AuditContext,
) {
  const { db, vault } = deps;
  const { now } = auditContext;
  const counter = buildWrongFactorCounter(vault, sessionKey.userId);
  return limitFailures(db, { counters: [counter], now, isFailed: neverFails }, () =>
    withLockedSession(deps, sessionKey, async (context) => {
      await assertMayEnrol(context);
      const nonce = context.session.totp_nonce;
      if (nonce === null) throw factorWrong();
      const secret = deriveTotpSecret(vault, sessionKey.userId, nonce);
      const step = findMatchingStep(secret, code, { now, lastUsedStep: null });
      if (step === undefined) throw factorWrong();
      await saveTotp(context.tx, sessionKey.userId, { nonce, lastUsedStep: step });
      await purgeAttempts(context.tx, counter);
      return completeEnrolment(deps, context, auditContext, { factor: 'totp' });
    }),
  );
}

export async function addPasskey(
  deps: StaffDeps,
  sessionKey: SessionKey,
  { name, passkey: passkeyResponse }: { name: string; passkey: Record<string, unknown> },
  auditContext: AuditContext,
): Promise<string[]> {
  return withLockedSession(deps, sessionKey, async (context) => {
    await assertMayEnrol(context);
    if (context.session.challenge === null) throw factorWrong();
    const response = passkeyResponse as unknown as RegistrationResponseJSON;
    const { verified, registrationInfo } = await rejectAsWrongFactor(
      verifyRegistrationResponse({
        response,
        expectedChallenge: context.session.challenge,
        ...resolveRelyingParty(deps, response),
        requireUserVerification: false,
        supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
      }),
    );
    if (!verified) throw factorWrong();
    const { id, publicKey, counter } = registrationInfo.credential;
    const public_key = Buffer.from(publicKey);
    const row = { id, member_id: sessionKey.userId, name, public_key, counter, created_at: auditContext.now };
    if (!(await insertPasskeyIfNew(context.tx, row))) throw factorWrong();
    return completeEnrolment(deps, context, auditContext, { factor: 'passkey', name });
  });
}

/** Sets the session to verified. Returns recovery codes if the user has none. */
async function completeEnrolment(
  { vault }: StaffDeps,
  { tx, user, session }: LockedSession,
  auditContext: AuditContext,
  auditedFields: object,
): Promise<string[]> {
  await setSessionVerified(tx, session.id, auditContext.now);
  await recordAuditEntry(tx, auditContext, { kind: 'staff', id: user.id }, auditedFields);
  if (user.recovery_hashes.length > 0) return [];
  // A code is like k7rw2-9axqm.
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    randomText(10, RECOVERY_CHARACTERS).replace(/^.{5}/, '$&-'),
  );
  const hashes = codes.map((code) => hashRecoveryCode(vault, user.id, code));
  await updateRecoveryCodes(tx, user.id, hashes);
  return codes;
}

export async function listFactors({ db }: StaffDeps, userId: string): Promise<Static<typeof Factors>> {
  const user = await findCredentials(db, userId);
  if (!user) throw sessionEnded();
  const passkeys = await listPasskeys(db, userId);
  return {
    totp: user.totp_nonce !== null,
    passkeys: passkeys.map((row) => project(Passkey, row)),
    recovery_codes: user.recovery_hashes.length,
  };
}

/** Returns false if the user has no factor with this id. */
export async function removeFactor(
  deps: StaffDeps,
  sessionKey: SessionKey,
  id: string,
  auditContext: AuditContext,
) {
  return withLockedSession(deps, sessionKey, async ({ tx, user }) => {
    const passkeys = await listPasskeys(tx, user.id);
    const exists = id === 'totp' ? user.totp_nonce !== null : passkeys.some((key) => key.id === id);
    if (!exists) return false;
    const remainingCount = passkeys.length + (user.totp_nonce === null ? 0 : 1) - 1;
    if (remainingCount === 0 && deps.mode === 'live') throw lastFactor();
    if (id === 'totp') await deleteTotp(tx, user.id);
    else await deletePasskey(tx, user.id, id);
    if (remainingCount === 0) await updateRecoveryCodes(tx, user.id, []);
    const auditedFields = { factor: id === 'totp' ? 'totp' : 'passkey', removed: true };
    await recordAuditEntry(tx, auditContext, { kind: 'staff', id: user.id }, auditedFields);
    return true;
  });
}
