import { NotSent, type Outgoing, type Send } from './channel.ts';

export type TwilioSettings = {
  url: string;
  accountSid: string;
  authToken: string;
  /** A number, or the id of a messaging service (MG...). */
  from: string;
};

const TIMEOUT_MS = 5_000;

/** SMS by Twilio's Messages API, or a compatible gateway. */
export function twilioSms(settings: TwilioSettings, timeoutMs = TIMEOUT_MS): Send {
  const { url, accountSid, authToken, from } = settings;
  const address = `${url}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const sender = { [/^MG/.test(from) ? 'MessagingServiceSid' : 'From']: from };

  return async ({ phone, text }: Pick<Outgoing, 'phone' | 'text'>) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
      body: new URLSearchParams({ To: phone!, ...sender, Body: text }),
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      throw unreachable(error);
    });
    const answer = await response.text().catch((error: unknown) => {
      throw unreachable(error);
    });
    if (response.ok) return { providerId: sidOf(answer) };
    throw refused(response.status, answer);
  };
}

function unreachable(error: unknown): NotSent {
  const reason = (error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable';
  return new NotSent(reason, { permanent: false, concernsAll: true });
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
