import { createHmac, timingSafeEqual } from 'node:crypto';
import { NotSent, type Outgoing, type Send } from './channel.ts';

export type TwilioSettings = {
  url: string;
  accountSid: string;
  authToken: string;
  /** A number, or the id of a messaging service (MG...). */
  from: string;
  /** The WhatsApp number, or null: no WhatsApp. */
  whatsappFrom: string | null;
  /** Content templates that WhatsApp has approved, by the name of ours: HX... */
  contents: Readonly<Record<string, string>>;
  /** Where delivery is reported. */
  callbackUrl: () => string;
};

const TIMEOUT_MS = 5_000;

/** SMS by Twilio's Messages API, or a compatible gateway. */
export function twilioSms(settings: TwilioSettings, timeoutMs = TIMEOUT_MS): Send {
  const { from } = settings;
  const sender = { [/^MG/.test(from) ? 'MessagingServiceSid' : 'From']: from };
  return ({ phone, text }: Pick<Outgoing, 'phone' | 'text'>) =>
    post(settings, { To: phone!, ...sender, Body: text }, timeoutMs);
}

/**
 * WhatsApp takes nothing but templates that it has approved, with variables: 1 is the text, 2 the link, 3 the PIX code. A message
 * for which there is none goes by the next channel.
 */
export function twilioWhatsapp(settings: TwilioSettings, timeoutMs = TIMEOUT_MS): Send {
  const { whatsappFrom, contents } = settings;
  return async ({ phone, template, text, link, code }) => {
    const contentSid = contents[template];
    if (contentSid === undefined) throw new NotSent('no_content', { permanent: true, concernsAll: true });
    const variables = { 1: oneLine(text), 2: link ?? '-', 3: code ?? '-' };
    const form = {
      To: `whatsapp:${phone}`,
      From: `whatsapp:${whatsappFrom}`,
      ContentSid: contentSid,
      ContentVariables: JSON.stringify(variables),
    };
    return post(settings, form, timeoutMs);
  };
}

/** WhatsApp refuses variables with line breaks or more than four blanks in a row. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

async function post(settings: TwilioSettings, form: Record<string, string>, timeoutMs: number) {
  const { url, accountSid, authToken, callbackUrl } = settings;
  const address = `${url}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
    body: new URLSearchParams({ ...form, StatusCallback: callbackUrl() }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(unreachable);
  const answer = await response.text().catch(unreachable);
  if (response.ok) return { providerId: sidOf(answer) };
  throw refused(response.status, answer);
}

/**
 * Whether Twilio signed it: the HMAC-SHA1 of the address and the sorted parameters, under the account's secret. In constant time.
 */
export function isSignedByTwilio(
  authToken: string,
  { url, form, signature }: { url: string; form: URLSearchParams; signature: string },
): boolean {
  const names = [...new Set(form.keys())].toSorted();
  const signed = names.flatMap((name) => form.getAll(name).map((value) => name + value));
  const expected = createHmac('sha1', authToken)
    .update(url + signed.join(''))
    .digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function unreachable(error: unknown): never {
  const reason = (error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable';
  throw new NotSent(reason, { permanent: false, concernsAll: true });
}

function refused(status: number, answer: string): NotSent {
  const code = twilioCode(answer);
  const reason = code === undefined ? `http_${status}` : `twilio_${code}`;
  if (status === 429 || status >= 500) return new NotSent(reason, { permanent: false, concernsAll: true });
  // Wrong credentials or an unknown account: no message is sent until the operator fixes it.
  const concernsAll = status < 400 || [401, 403, 404].includes(status);
  return new NotSent(reason, { permanent: true, concernsAll });
}

function sidOf(answer: string): string | null {
  const { sid } = parsed(answer);
  return typeof sid === 'string' ? sid : null;
}

/** Twilio's error number. Its `message` quotes the receiver's phone and is ignored. */
function twilioCode(answer: string): number | undefined {
  const { code } = parsed(answer);
  return Number.isSafeInteger(code) ? (code as number) : undefined;
}

/** A proxy's page is not Twilio's JSON: the status says enough. */
function parsed(answer: string): { code?: unknown; sid?: unknown } {
  try {
    return (JSON.parse(answer) ?? {}) as { code?: unknown; sid?: unknown };
  } catch {
    return {};
  }
}
