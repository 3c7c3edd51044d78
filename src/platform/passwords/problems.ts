import { defineProblem } from '../problem.ts';

/** A 401 response must name the accepted authentication (RFC 9110). */
export const AUTHENTICATE_HEADER = { 'www-authenticate': 'Token realm="semana", header="x-token"' };

/** All failed logins get the same response, so that it does not reveal which phones have an account. */
export const invalidCredentials = defineProblem({
  code: 'invalid_credentials',
  status: 401,
  title: { en: 'The credentials are invalid', pt: 'Os dados de acesso não conferem' },
  cause:
    'No account has this phone number, or the password or code is wrong, used or expired. The response does not say which.',
  remedy: 'Try again, request a new code, or set a new password with a code.',
  headers: AUTHENTICATE_HEADER,
  detail: {
    en: 'The phone number, password or code is not valid.',
    pt: 'O telefone, a senha ou o código não confere.',
  },
});

export const loginLocked = defineProblem({
  code: 'login_locked',
  status: 429,
  title: { en: 'Too many wrong passwords', pt: 'Senha errada vezes demais' },
  cause:
    'Five logins failed within 15 minutes for this phone number from this IP address, or twenty from anywhere. Password logins are blocked for 15 minutes.',
  remedy: 'Wait for the seconds in `Retry-After`, or log in with a code (`POST /wallet/auth/otp`).',
});

const WEAKNESSES = {
  own_data: {
    en: "It consists of the customer's own phone number, name or e-mail.",
    pt: 'Ela é feita do seu próprio telefone, nome ou e-mail.',
  },
  common: {
    en: 'It is one of the most common passwords.',
    pt: 'É uma das senhas mais fáceis de adivinhar.',
  },
};

export type Weakness = keyof typeof WEAKNESSES;

export const passwordTooCommon = defineProblem({
  code: 'password_too_common',
  status: 422,
  title: { en: 'The password is too easy to guess', pt: 'A senha é fácil demais de adivinhar' },
  cause:
    "It is a common password, a single word with a few digits, or consists of the customer's own phone number, name or e-mail.",
  remedy: 'Choose another password; a few unrelated words work best. A code that was sent is still valid.',
  detail: (weakness: Weakness) => WEAKNESSES[weakness],
});
