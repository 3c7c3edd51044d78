import { type Problem, type ProblemMaker, problem } from '#platform/problem.ts';

/** A 401 says what would be accepted instead (RFC 9110). */
const CHALLENGE = { 'www-authenticate': 'Token realm="semana", header="x-token"' };

export const tokenMissing = problem({
  code: 'token_missing',
  status: 401,
  title: 'The token of the customer is missing',
  titlePt: 'Falta o token do cliente',
  cause: 'This endpoint is about a customer who is logged in, and the request has no header x-token.',
  remedy:
    'Log the customer in (`POST /wallet/auth/login`) and send the `token` you get in the header x-token.',
});

export const tokenInvalid = problem({
  code: 'token_invalid',
  status: 401,
  title: 'The token is not valid',
  titlePt: 'O token não é válido',
  cause:
    'The token was not issued by us, was changed on the way, is signed with a key that was retired, has been used up, or belongs to a session that has ended: the customer logged out, set a new password, or was locked.',
  remedy: 'Log the customer in again.',
});

export const tokenExpired = problem({
  code: 'token_expired',
  status: 401,
  title: 'The token has expired',
  titlePt: 'O token expirou',
  cause: 'A token works for 15 minutes, a refresh token for 30 days.',
  remedy: 'Get a new token with `POST /wallet/auth/refresh`; if the refresh token has expired, log in again.',
});

export const invalidCredentials = problem({
  code: 'invalid_credentials',
  status: 401,
  title: 'The login is not right',
  titlePt: 'Os dados de acesso não conferem',
  cause:
    'There is no such customer, or the password or code is wrong, used up or too old. Which of them is not told.',
  remedy: 'Try again, ask for a new code, or set a new password with a code.',
});

export const tokenPartnerMismatch = problem({
  code: 'token_partner_mismatch',
  status: 403,
  title: 'The token belongs to another partner',
  titlePt: 'O token pertence a outro parceiro',
  cause: 'A token counts only together with a key of the partner it was issued through.',
  remedy: 'Send the token with a key of that partner, or log the customer in with your own key.',
});

export const loginLocked = problem({
  code: 'login_locked',
  status: 429,
  title: 'Too many wrong passwords',
  titlePt: 'Senhas erradas demais',
  cause:
    'Five logins in 15 minutes failed for this phone from this address, or twenty from anywhere: its password is not looked at for 15 minutes.',
  remedy: 'Wait the seconds given in `Retry-After`, or log in by code (`POST /wallet/auth/otp`).',
});

export const otpTooSoon = problem({
  code: 'otp_too_soon',
  status: 429,
  title: 'A code was asked for a moment ago',
  titlePt: 'Um código foi pedido há pouco',
  cause:
    'One code a minute and five an hour can be asked for for a phone from one address, ten an hour from anywhere, and three at a time can be good.',
  remedy:
    'Wait the seconds given in `Retry-After`. A code works for five minutes, also while another is on its way.',
});

export const phoneNotSupported = problem({
  code: 'phone_not_supported',
  status: 422,
  title: 'No code can be sent to this phone',
  titlePt: 'Não é possível enviar um código a este telefone',
  cause: 'Codes are sent to mobile numbers only, and only of the countries the operator has chosen.',
  remedy: 'Use the mobile number of the customer.',
});

export const notRegistered = problem({
  code: 'not_registered',
  status: 409,
  title: 'Nobody has registered this phone',
  titlePt: 'Ninguém cadastrou este telefone',
  cause: 'The code is right, and no customer has the phone.',
  remedy: 'Sign up with the same challenge and code: they still work.',
});

export const passwordTooCommon = problem({
  code: 'password_too_common',
  status: 422,
  title: 'The password is too easy to guess',
  titlePt: 'A senha é fácil demais de adivinhar',
  cause:
    "It is one of the passwords that are tried first, a single word with a few digits, or made of the customer's own phone, name or e-mail.",
  remedy:
    'Ask for another one: a few words that have nothing to do with each other are best. A code that was sent still works.',
});

export const phoneTaken = problem({
  code: 'phone_taken',
  status: 409,
  title: 'There is a customer with this phone already',
  titlePt: 'Já existe um cliente com este telefone',
  cause: 'A phone belongs to one customer: it is what they log in with.',
  remedy: 'Look the customer up by the phone, or register another phone.',
});

export const cpfTaken = problem({
  code: 'cpf_taken',
  status: 409,
  title: 'There is a customer with this CPF already',
  titlePt: 'Já existe um cliente com este CPF',
  cause: 'A person is registered once, whatever their phone.',
  remedy: 'Find the customer who has it, or check the number.',
});

export const phoneRegistered = problem({
  code: 'phone_registered',
  status: 409,
  title: 'This phone is registered already',
  titlePt: 'Este telefone já está cadastrado',
  cause: 'The code is right, and a customer has the phone.',
  remedy: 'Log in with the same challenge and code (`POST /wallet/auth/otp/login`): they still work.',
});

export const cpfRegistered = problem({
  code: 'cpf_registered',
  status: 409,
  title: 'This CPF is registered already',
  titlePt: 'Este CPF já está cadastrado',
  cause: 'The person is a customer already, with another phone.',
  remedy:
    'Check the number, or log in with the phone it was registered with. The operator helps who has lost that phone.',
});

export const underage = problem({
  code: 'underage',
  status: 422,
  title: 'Customers are at least 18 years old',
  titlePt: 'É preciso ter 18 anos ou mais',
  cause: 'By the birth date, the person is not 18 yet on this day in São Paulo.',
  remedy: 'Check the birth date. Who is younger can sign up from their 18th birthday on.',
});

export const referralCodeUnknown = problem({
  code: 'referral_code_unknown',
  status: 422,
  title: 'Nobody has this referral code',
  titlePt: 'Ninguém tem este código de convite',
  cause: 'The code was misread or mistyped. It has eight letters and digits, none of which look alike.',
  remedy: 'Ask for the code again, or register without one.',
});

export const moneyOwed = problem({
  code: 'money_owed',
  status: 409,
  title: 'Money is still owed',
  titlePt: 'Ainda há valores em aberto',
  cause:
    'The customer owes something, or something is on its way back to them. Who they are is needed until that is settled. `detail` says what it is.',
  remedy: 'Wait until it is paid or has gone back, or write it off.',
});

export const customerErased = problem({
  code: 'customer_erased',
  status: 409,
  title: 'The data of this customer was erased',
  titlePt: 'Os dados deste cliente foram apagados',
  cause: 'Nobody knows any more who it was, and there is no way back.',
  remedy: 'If the person wants to be a customer again, register them anew.',
});

/** What an endpoint that asks for a logged-in customer may answer. */
export const tokenProblems: ProblemMaker[] = [tokenMissing, tokenInvalid, tokenExpired, tokenPartnerMismatch];

export const customerProblems: ProblemMaker[] = [
  ...tokenProblems,
  invalidCredentials,
  loginLocked,
  otpTooSoon,
  phoneNotSupported,
  notRegistered,
  passwordTooCommon,
  phoneTaken,
  cpfTaken,
  phoneRegistered,
  cpfRegistered,
  underage,
  referralCodeUnknown,
  moneyOwed,
  customerErased,
];

/** A problem of status 401 with the header it must have. */
export function unauthorized(maker: ProblemMaker, detail: string): Problem {
  return maker(detail, { headers: CHALLENGE });
}

/** One answer to everything that is wrong with a login, so that nothing can be learned from it. */
export function wrongLogin(): Problem {
  return unauthorized(invalidCredentials, 'The phone or what proves it is not right.');
}
