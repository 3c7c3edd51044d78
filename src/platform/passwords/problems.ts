import { defineProblem } from '../problem.ts';

/** One answer for every failed login, so that nothing can be learned from it. */
export const invalidCredentials = defineProblem({
  code: 'invalid_credentials',
  status: 401,
  title: { en: 'The login is not right', pt: 'Os dados de acesso não conferem' },
  cause:
    'Nobody signs in with this phone, or the password or code is wrong, used up or too old. Which of them is not told.',
  remedy: 'Try again, ask for a new code, or set a new password with a code.',
  headers: { 'www-authenticate': 'Token realm="semana", header="x-token"' },
  detail: {
    en: 'The phone or what proves it is not right.',
    pt: 'O telefone, a senha ou o código não confere.',
  },
});

export const loginLocked = defineProblem({
  code: 'login_locked',
  status: 429,
  title: { en: 'Too many wrong passwords', pt: 'Senha errada vezes demais' },
  cause:
    'Five logins in 15 minutes failed for this phone from this address, or twenty from anywhere: its password is not looked at for 15 minutes.',
  remedy: 'Wait the seconds given in `Retry-After`, or log in by code (`POST /wallet/auth/otp`).',
});

export const WEAKNESSES = {
  own_data: {
    en: "It is made of the customer's own phone, name or e-mail.",
    pt: 'Ela é feita do seu próprio telefone, nome ou e-mail.',
  },
  common: {
    en: 'It is one of the passwords that are tried first.',
    pt: 'É uma das senhas mais fáceis de adivinhar.',
  },
};

export type Weakness = keyof typeof WEAKNESSES;

export const passwordTooCommon = defineProblem({
  code: 'password_too_common',
  status: 422,
  title: { en: 'The password is too easy to guess', pt: 'A senha é fácil demais de adivinhar' },
  cause:
    "It is one of the passwords that are tried first, a single word with a few digits, or made of the customer's own phone, name or e-mail.",
  remedy:
    'Ask for another one: a few words that have nothing to do with each other are best. A code that was sent still works.',
  detail: (weakness: Weakness) => WEAKNESSES[weakness],
});
