import {
  AUTHENTICATE_HEADER,
  invalidCredentials,
  loginLocked,
  passwordTooCommon,
} from '#platform/passwords/problems.ts';
import type { OpenDebt } from '#platform/privacy/personal-data.ts';
import { defineProblem, type ProblemFactory } from '#platform/problem.ts';

export { invalidCredentials, loginLocked, passwordTooCommon };

export const CUSTOMER_NOT_FOUND = {
  en: 'No customer has this id or phone.',
  pt: 'Nenhum cliente tem este id ou telefone.',
};

export const tokenMissing = defineProblem({
  code: 'token_missing',
  status: 401,
  title: { en: 'The token is missing', pt: 'Falta o token' },
  cause: 'This endpoint requires a login, and the request has no header x-token.',
  remedy:
    'Log in the customer (`POST /wallet/auth/login`) or, at a till, the member of the merchant (`POST /merchant/auth/otp/login`), and ' +
    'send the returned `token` in the header x-token.',
  headers: AUTHENTICATE_HEADER,
  detail: {
    en: 'Send the token of the logged-in customer or member in the header x-token.',
    pt: 'Envie o token de quem entrou no cabeçalho x-token.',
  },
});

const TOKEN_ERRORS = {
  bearer: {
    en: "Send the token alone in x-token, without 'Bearer'.",
    pt: "Envie em x-token só o token, sem 'Bearer'.",
  },
  not_issued_here: {
    en: 'The token in x-token was not issued by this service.',
    pt: 'O token em x-token não foi emitido por nós.',
  },
  key_retired: {
    en: 'The token in x-token is signed with a retired key.',
    pt: 'O token em x-token foi assinado com uma chave que não vale mais.',
  },
  session_ended: {
    en: 'The session of the token in x-token has ended.',
    pt: 'A sessão do token em x-token terminou.',
  },
  wrong_kind: {
    en: 'The token in x-token is of the wrong kind: it belongs to a customer, and a merchant member is required, or the reverse.',
    pt: 'O token em x-token não serve para isto: é de um cliente, ou de alguém de uma loja.',
  },
  member_removed: {
    en: 'The owner of the token in x-token is no longer a member of the merchant.',
    pt: 'O dono do token em x-token não faz mais parte da loja.',
  },
  customer_missing: {
    en: 'The customer of the token in x-token no longer exists.',
    pt: 'O cliente do token em x-token não existe mais.',
  },
  refresh_not_issued_here: {
    en: 'The refresh token was not issued by this service.',
    pt: 'O refresh token não foi emitido por nós.',
  },
  refresh_session_ended: {
    en: 'The session of this refresh token has ended.',
    pt: 'A sessão deste refresh token terminou.',
  },
  refresh_reused: {
    en: 'This refresh token was already used, so its session has been ended.',
    pt: 'Este refresh token já foi usado, e por isso a sessão dele foi encerrada.',
  },
};

export const tokenInvalid = defineProblem({
  code: 'token_invalid',
  status: 401,
  title: { en: 'The token is not valid', pt: 'O token não é válido' },
  cause:
    'The token was not issued by this service, was modified, is signed with a retired key, was already used, is of the wrong kind, or belongs to a session that has ended: by a logout, a new password or phone, or because the customer was locked or the member removed.',
  remedy: 'Log in again.',
  headers: AUTHENTICATE_HEADER,
  detail: (error: keyof typeof TOKEN_ERRORS) => TOKEN_ERRORS[error],
});

export const tokenExpired = defineProblem({
  code: 'token_expired',
  status: 401,
  title: { en: 'The token has expired', pt: 'O token expirou' },
  cause: 'A token is valid for 15 minutes, a refresh token for 30 days.',
  remedy:
    'Get a new token with `POST /wallet/auth/refresh` or `POST /merchant/auth/refresh`; if the refresh token has expired, log in again.',
  headers: AUTHENTICATE_HEADER,
  detail: (tokenKind: 'token' | 'refresh') =>
    tokenKind === 'token'
      ? {
          en: 'The token in x-token has expired. Get a new one with POST /wallet/auth/refresh (a member: POST /merchant/auth/refresh).',
          pt: 'O token em x-token expirou. Peça outro com POST /wallet/auth/refresh (membro de loja: POST /merchant/auth/refresh).',
        }
      : { en: 'The refresh token has expired. Log in again.', pt: 'O refresh token expirou. Entre de novo.' },
});

export const tokenPartnerMismatch = defineProblem({
  code: 'token_partner_mismatch',
  status: 403,
  title: { en: 'The token belongs to another partner', pt: 'O token pertence a outro parceiro' },
  cause: 'A token is valid only with an API key of the partner it was issued through.',
  remedy: 'Send the token with a key of that partner, or log in the customer with your own key.',
  detail: (tokenKind: 'token' | 'refresh') =>
    tokenKind === 'token'
      ? {
          en: 'The token in x-token was issued through another partner.',
          pt: 'O token em x-token foi emitido por outro parceiro.',
        }
      : {
          en: 'The refresh token was issued through another partner.',
          pt: 'O refresh token foi emitido por outro parceiro.',
        },
});

export const otpTooSoon = defineProblem({
  code: 'otp_too_soon',
  status: 429,
  title: { en: 'A code was requested too recently', pt: 'Um código foi pedido há pouco' },
  cause:
    'For a phone, one code a minute and five an hour can be requested from one IP address, ten an hour from all addresses, and three can be valid at a time.',
  remedy:
    'Wait the seconds given in `Retry-After`. A code stays valid for five minutes, even after another was requested.',
});

export const phoneNotSupported = defineProblem({
  code: 'phone_not_supported',
  status: 422,
  title: { en: 'Codes cannot be sent to this phone', pt: 'Não é possível enviar um código a este telefone' },
  cause: 'Codes are sent only to mobile numbers of the countries that the operator has configured.',
  remedy: 'Use the mobile number of the customer.',
});

export const notRegistered = defineProblem({
  code: 'not_registered',
  status: 409,
  title: { en: 'The phone is not registered', pt: 'Telefone sem cadastro' },
  cause: 'The code is correct, but no customer has this phone.',
  remedy: 'Sign up with the same challenge and code: they are still valid.',
  detail: {
    en: 'This phone is not registered. The code can be used to sign up.',
    pt: 'Ninguém tem cadastro com este telefone. Use o código para fazer o cadastro.',
  },
});

/** For changes of a phone, and for staff who register a customer. A sign-up gets `phoneRegistered`. */
export const phoneTaken = defineProblem({
  code: 'phone_taken',
  status: 409,
  title: { en: 'A customer with this phone already exists', pt: 'Já existe um cliente com este telefone' },
  cause: 'Customers log in with their phone, so a phone belongs to one customer.',
  remedy: 'Find the customer by the phone, or register another phone.',
});

export const noPhoneChange = defineProblem({
  code: 'no_phone_change',
  status: 409,
  title: { en: 'No phone change is pending', pt: 'Não há troca de telefone pendente' },
  cause: 'No phone change was requested, or it has taken effect or was cancelled in the meantime.',
  remedy: 'Read the customer: `phone` is the current phone, `phone_change` the pending one.',
});

export const secondPersonNeeded = defineProblem({
  code: 'second_person_needed',
  status: 409,
  title: { en: 'Another person must confirm', pt: 'Outra pessoa precisa confirmar' },
  cause: 'The person who requested a phone change can confirm it only with a code sent to the old phone.',
  remedy: 'Ask another staff user, send a code to the old phone, or wait 24 hours.',
  detail: {
    en: 'You requested this change. Another person must confirm it.',
    pt: 'Foi você quem pediu esta troca. Outra pessoa da equipe precisa confirmar.',
  },
});

/** Details by the phone to which the wrong code was sent, for requests that have a code for each of two phones. */
const PHONE_CHANGE_CODE_ERRORS = {
  new: {
    en: 'The code sent to the new phone is wrong.',
    pt: 'O código enviado ao telefone novo não confere.',
    errors: [{ pointer: '/code', message: { en: 'is wrong', pt: 'não confere' } }],
  },
  current: {
    en: 'The code sent to the current phone is wrong.',
    pt: 'O código enviado ao telefone atual não confere.',
    errors: [{ pointer: '/current/code', message: { en: 'is wrong', pt: 'não confere' } }],
  },
};

export const codeWrong = defineProblem({
  code: 'code_wrong',
  status: 422,
  title: { en: 'The code is wrong', pt: 'O código não confere' },
  cause: 'The code is wrong, was already used, has expired, or was sent to another phone.',
  remedy: 'Try again, or request a new code.',
  detail: (sentTo?: keyof typeof PHONE_CHANGE_CODE_ERRORS) =>
    sentTo === undefined
      ? { en: 'The code is wrong.', pt: 'O código não confere.' }
      : PHONE_CHANGE_CODE_ERRORS[sentTo],
});

/** For staff who register a customer. A sign-up gets `cpfRegistered`. */
export const cpfTaken = defineProblem({
  code: 'cpf_taken',
  status: 409,
  title: { en: 'A customer with this CPF already exists', pt: 'Já existe um cliente com este CPF' },
  cause: 'A person can be registered only once.',
  remedy: 'Find the customer by the CPF, or check the number.',
});

export const phoneRegistered = defineProblem({
  code: 'phone_registered',
  status: 409,
  title: { en: 'The phone is already registered', pt: 'Este telefone já está cadastrado' },
  cause: 'The code is correct, but a customer already has this phone.',
  remedy: 'Log in with the same challenge and code (`POST /wallet/auth/otp/login`): they are still valid.',
  detail: {
    en: 'A customer already has this phone. The code can be used to log in.',
    pt: 'Este telefone já tem cadastro. Use o código para entrar.',
  },
});

export const cpfRegistered = defineProblem({
  code: 'cpf_registered',
  status: 409,
  title: { en: 'The CPF is already registered', pt: 'Este CPF já está cadastrado' },
  cause: 'The person is already a customer, with another phone.',
  remedy:
    'Check the number, or log in with the phone it was registered with. If that phone is lost, contact the operator.',
});

export const underage = defineProblem({
  code: 'underage',
  status: 422,
  title: { en: 'Customers must be at least 18 years old', pt: 'É preciso ter 18 anos ou mais' },
  cause: 'According to the birth date, the person is younger than 18 today in São Paulo.',
  remedy: 'Check the birth date. A younger person can sign up from their 18th birthday.',
  detail: (years: number) => ({
    en: `Customers must be at least ${years} years old.`,
    pt: `É preciso ter pelo menos ${years} anos.`,
  }),
});

export const referralCodeUnknown = defineProblem({
  code: 'referral_code_unknown',
  status: 422,
  title: { en: 'The referral code is unknown', pt: 'Ninguém tem este código de convite' },
  cause:
    'No customer has this code. A code has eight letters and digits, without characters that look alike.',
  remedy: 'Check the code with the customer who gave it, or register without one.',
  detail: (code: string) => ({
    en: `The referral code '${code}' is unknown.`,
    pt: `Ninguém tem o código de indicação '${code}'.`,
  }),
});

export const moneyOwed = defineProblem({
  code: 'money_owed',
  status: 409,
  title: { en: 'Money is still owed', pt: 'Ainda há valores em aberto' },
  cause:
    'The customer owes money, or a refund to them is pending. Their identity is needed until that is settled. `detail` describes the debts; `stopped_by` has a code for each and the ids it is about.',
  remedy: 'Wait until the debts are paid or refunded, or write them off.',
  detail: (debts: readonly OpenDebt[]) => ({
    en: debts.map(({ en }) => en).join(' '),
    pt: debts.map(({ pt }) => pt).join(' '),
    members: { stopped_by: debts.map(({ en: _, pt: __, ...codeAndIds }) => codeAndIds) },
  }),
});

export const customerErased = defineProblem({
  code: 'customer_erased',
  status: 409,
  title: { en: 'The customer was erased', pt: 'Os dados deste cliente foram apagados' },
  cause: 'The personal data of the customer was permanently deleted.',
  remedy: 'If the person wants to be a customer again, register a new customer.',
});

export const tokenProblems: ProblemFactory[] = [
  tokenMissing,
  tokenInvalid,
  tokenExpired,
  tokenPartnerMismatch,
];
