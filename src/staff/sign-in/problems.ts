import { defineProblem } from '#platform/problem.ts';

export const sessionEnded = defineProblem({
  code: 'session_ended',
  status: 401,
  title: { en: 'The session has ended', pt: 'A sessão terminou' },
  cause:
    'A back office session ends after 12 hours, after 30 minutes without a request, by signing out, or when the user is removed or reset.',
  remedy: 'Sign in again (`POST /auth/login`), or use an API key.',
  headers: { 'www-authenticate': 'Bearer realm="semana"' },
  detail: { en: 'This session has ended. Sign in again.', pt: 'Esta sessão terminou. Entre de novo.' },
});

export const secondFactorMissing = defineProblem({
  code: 'second_factor_missing',
  status: 403,
  title: { en: 'The second factor is missing', pt: 'Falta o segundo fator' },
  cause: 'The password was correct, but the session still requires a one-time code or a passkey.',
  remedy: 'Send the second factor to `POST /auth/second-factor`, or add one if the user has none yet.',
  detail: { en: 'Verify the second factor first.', pt: 'Confirme o segundo fator primeiro.' },
});

export const sessionNeeded = defineProblem({
  code: 'session_needed',
  status: 409,
  title: { en: 'A session is required', pt: 'Isto é para quem entrou com senha' },
  cause: 'The request was made with an API key. This endpoint is about a session and requires one.',
  remedy: 'Sign in (`POST /auth/login`) and send the session as `Authorization: Bearer`.',
  detail: { en: 'An API key has no session.', pt: 'Uma chave não tem sessão.' },
});

export const inviteExpired = defineProblem({
  code: 'invite_expired',
  status: 410,
  title: { en: 'The invitation is no longer valid', pt: 'O convite não vale mais' },
  cause: 'An invitation works once, for 48 hours, and until another one is created for the same user.',
  remedy: 'Ask an admin for a new one.',
  detail: {
    en: 'This invitation was used, replaced, or is older than 48 hours.',
    pt: 'Este convite já foi usado, foi substituído ou tem mais de 48 horas.',
  },
});

export const emailTaken = defineProblem({
  code: 'email_taken',
  status: 409,
  title: { en: 'The e-mail is taken', pt: 'Outra pessoa entra com este e-mail' },
  cause: 'An e-mail belongs to one staff user.',
  remedy: 'Use another e-mail.',
});

export const factorWrong = defineProblem({
  code: 'factor_wrong',
  status: 422,
  title: { en: 'The second factor is wrong', pt: 'O segundo fator não confere' },
  cause: 'The code is wrong, expired or already used, or the passkey does not belong to this user.',
  remedy: 'Wait for the next code, or use another factor or a recovery code.',
});

export const lastFactor = defineProblem({
  code: 'last_factor',
  status: 409,
  title: { en: 'The last second factor cannot be removed', pt: 'Este é o último segundo fator' },
  cause: 'In live mode every staff user needs a second factor.',
  remedy: 'Add another second factor first.',
  detail: {
    en: 'Every staff user needs a second factor. Add another one first.',
    pt: 'Ninguém entra sem segundo fator. Cadastre outro antes.',
  },
});

export const guardProblems = [sessionEnded, secondFactorMissing];
