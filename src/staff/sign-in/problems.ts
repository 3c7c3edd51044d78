import { defineProblem } from '#platform/problem.ts';

export const sessionEnded = defineProblem({
  code: 'session_ended',
  status: 401,
  title: { en: 'The session has ended', pt: 'A sessão terminou' },
  cause:
    'A session of the back office ends after 12 hours, after 30 minutes of nothing, by signing out, or when the person is removed or reset.',
  remedy: 'Sign in again (`POST /auth/login`), or use a key.',
  headers: { 'www-authenticate': 'Bearer realm="semana"' },
  detail: { en: 'This session has ended. Sign in again.', pt: 'Esta sessão terminou. Entre de novo.' },
});

export const secondFactorMissing = defineProblem({
  code: 'second_factor_missing',
  status: 403,
  title: { en: 'The second factor is missing', pt: 'Falta o segundo fator' },
  cause: 'The password was right; who signs in has to give a one-time code or use a passkey as well.',
  remedy: 'Send it to `POST /auth/second-factor`, or add one if the person has none yet.',
  detail: {
    en: 'Give the second factor first.',
    pt: 'Confirme o segundo fator primeiro.',
  },
});

export const sessionNeeded = defineProblem({
  code: 'session_needed',
  status: 409,
  title: { en: 'This is for somebody who has signed in', pt: 'Isto é para quem entrou com senha' },
  cause: 'The call was made with a key. Sessions and second factors belong to who signed in with a password.',
  remedy: 'Sign in (`POST /auth/login`) and send the session as `Authorization: Bearer`.',
  detail: { en: 'A key has no session.', pt: 'Uma chave não tem sessão.' },
});

export const inviteExpired = defineProblem({
  code: 'invite_expired',
  status: 410,
  title: { en: 'The invitation no longer counts', pt: 'O convite não vale mais' },
  cause: 'An invitation works once, for 48 hours, and until another one is made for the same person.',
  remedy: 'Ask an admin for a new one.',
  detail: {
    en: 'This invitation was used, replaced, or is older than 48 hours.',
    pt: 'Este convite já foi usado, foi substituído ou tem mais de 48 horas.',
  },
});

export const emailTaken = defineProblem({
  code: 'email_taken',
  status: 409,
  title: { en: 'Somebody else signs in with this e-mail', pt: 'Outra pessoa entra com este e-mail' },
  cause: 'An e-mail belongs to one person of the staff.',
  remedy: 'Use another e-mail.',
  detail: { en: 'Somebody else has this e-mail.', pt: 'Outra pessoa da equipe tem este e-mail.' },
});

export const factorWrong = defineProblem({
  code: 'factor_wrong',
  status: 422,
  title: { en: 'The second factor is not right', pt: 'O segundo fator não confere' },
  cause: 'The code is wrong, too old or used before, or the passkey is not one of this person’s.',
  remedy: 'Wait for the next code, or use another factor or a recovery code.',
  detail: { en: 'The code or passkey is not right.', pt: 'O código ou a chave de acesso não confere.' },
});

export const lastFactor = defineProblem({
  code: 'last_factor',
  status: 409,
  title: { en: 'This is the last second factor', pt: 'Este é o último segundo fator' },
  cause: 'In live mode nobody gets in without a second factor.',
  remedy: 'Add another one first.',
  detail: {
    en: 'Nobody gets in without a second factor. Add another first.',
    pt: 'Ninguém entra sem segundo fator. Cadastre outro antes.',
  },
});

export const guardProblems = [sessionEnded, secondFactorMissing];
