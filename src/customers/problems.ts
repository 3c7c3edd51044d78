import type { OpenDebt } from '#platform/privacy/personal-data.ts';
import { defineProblem, type ProblemMaker } from '#platform/problem.ts';

export { invalidCredentials, loginLocked, passwordTooCommon } from '#platform/passwords/problems.ts';

/** A 401 names the accepted authentication (RFC 9110). */
const CHALLENGE = { 'www-authenticate': 'Token realm="semana", header="x-token"' };

export const NO_CUSTOMER = {
  en: 'No customer has this id or phone.',
  pt: 'Nenhum cliente tem este id ou telefone.',
};

export const tokenMissing = defineProblem({
  code: 'token_missing',
  status: 401,
  title: { en: 'The token is missing', pt: 'Falta o token' },
  cause: 'This endpoint is for somebody who is logged in, and the request has no header x-token.',
  remedy:
    'Log the customer in (`POST /wallet/auth/login`), or at a till the member of the merchant (`POST /merchant/auth/otp`), and send ' +
    'the `token` you get in the header x-token.',
  headers: CHALLENGE,
  detail: {
    en: 'Send the token of whoever is logged in, in the header x-token.',
    pt: 'Envie o token de quem entrou no cabeçalho x-token.',
  },
});

const TOKEN_FAULTS = {
  not_ours: {
    en: 'The token in x-token is not one of ours.',
    pt: 'O token em x-token não foi emitido por nós.',
  },
  key_retired: {
    en: 'The token in x-token is signed with a key that was retired.',
    pt: 'O token em x-token foi assinado com uma chave que não vale mais.',
  },
  session_ended: {
    en: 'The session of the token in x-token has ended.',
    pt: 'A sessão do token em x-token terminou.',
  },
  other_kind: {
    en: 'The token in x-token is not for this: it is of a customer, or of a member of a merchant.',
    pt: 'O token em x-token não serve para isto: é de um cliente, ou de alguém de uma loja.',
  },
  member_removed: {
    en: 'Whoever the token in x-token belongs to is no member of the merchant any more.',
    pt: 'O dono do token em x-token não faz mais parte da loja.',
  },
  customer_gone: {
    en: 'The customer of the token in x-token is gone.',
    pt: 'O cliente do token em x-token não existe mais.',
  },
  refresh_not_ours: {
    en: 'The refresh token is not one of ours.',
    pt: 'O refresh token não foi emitido por nós.',
  },
  refresh_session_ended: {
    en: 'The session of this refresh token has ended.',
    pt: 'A sessão deste refresh token terminou.',
  },
  refresh_reused: {
    en: 'This refresh token was used before, so its session has been ended.',
    pt: 'Este refresh token já foi usado, e por isso a sessão dele foi encerrada.',
  },
};

export const tokenInvalid = defineProblem({
  code: 'token_invalid',
  status: 401,
  title: { en: 'The token is not valid', pt: 'O token não é válido' },
  cause:
    'The token was not issued by us, was changed on the way, is signed with a key that was retired, has been used up, is for something else, or belongs to a session that has ended: by logging out, a new password or phone, or because the customer was locked or the member removed.',
  remedy: 'Log in again.',
  headers: CHALLENGE,
  detail: (fault: keyof typeof TOKEN_FAULTS) => TOKEN_FAULTS[fault],
});

export const tokenExpired = defineProblem({
  code: 'token_expired',
  status: 401,
  title: { en: 'The token has expired', pt: 'O token expirou' },
  cause: 'A token works for 15 minutes, a refresh token for 30 days.',
  remedy:
    'Get a new token with `POST /wallet/auth/refresh` or `POST /merchant/auth/refresh`; if the refresh token has expired, log in again.',
  headers: CHALLENGE,
  detail: (which: 'token' | 'refresh') =>
    which === 'token'
      ? { en: 'The token in x-token has expired.', pt: 'O token em x-token expirou.' }
      : { en: 'The refresh token has expired. Log in again.', pt: 'O refresh token expirou. Entre de novo.' },
});

export const tokenPartnerMismatch = defineProblem({
  code: 'token_partner_mismatch',
  status: 403,
  title: { en: 'The token belongs to another partner', pt: 'O token pertence a outro parceiro' },
  cause: 'A token counts only together with a key of the partner it was issued through.',
  remedy: 'Send the token with a key of that partner, or log the customer in with your own key.',
  detail: (which: 'token' | 'refresh') =>
    which === 'token'
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
  title: { en: 'A code was asked for a moment ago', pt: 'Um código foi pedido há pouco' },
  cause:
    'One code a minute and five an hour can be asked for for a phone from one address, ten an hour from anywhere, and three at a time can be good.',
  remedy:
    'Wait the seconds given in `Retry-After`. A code works for five minutes, also while another is on its way.',
});

export const phoneNotSupported = defineProblem({
  code: 'phone_not_supported',
  status: 422,
  title: { en: 'No code can be sent to this phone', pt: 'Não é possível enviar um código a este telefone' },
  cause: 'Codes are sent to mobile numbers only, and only of the countries the operator has chosen.',
  remedy: 'Use the mobile number of the customer.',
});

export const notRegistered = defineProblem({
  code: 'not_registered',
  status: 409,
  title: { en: 'Nobody has registered this phone', pt: 'Telefone sem cadastro' },
  cause: 'The code is right, and no customer has the phone.',
  remedy: 'Sign up with the same challenge and code: they still work.',
  detail: {
    en: 'Nobody has registered this phone. The code can be used to sign up.',
    pt: 'Ninguém tem cadastro com este telefone. Use o código para fazer o cadastro.',
  },
});

export const phoneTaken = defineProblem({
  code: 'phone_taken',
  status: 409,
  title: { en: 'There is a customer with this phone already', pt: 'Já existe um cliente com este telefone' },
  cause: 'A phone belongs to one customer: it is what they log in with.',
  remedy: 'Look the customer up by the phone, or register another phone.',
  detail: {
    en: 'There is a customer with this phone already.',
    pt: 'Já existe um cliente com este telefone.',
  },
});

export const noPhoneChange = defineProblem({
  code: 'no_phone_change',
  status: 409,
  title: { en: 'No change of the phone is waiting', pt: 'Não há troca de telefone pendente' },
  cause: 'None was asked for, or it has taken effect or was cancelled meanwhile.',
  remedy: 'Look at the customer: `phone` is the phone that counts, `phone_change` the one that waits.',
  detail: { en: 'No change of the phone is waiting.', pt: 'Não há troca de telefone pendente.' },
});

export const secondPersonNeeded = defineProblem({
  code: 'second_person_needed',
  status: 409,
  title: { en: 'Somebody else has to confirm it', pt: 'Outra pessoa precisa confirmar' },
  cause:
    'Whoever asked for the change of a phone does not confirm it, unless with a code sent to the old phone.',
  remedy: 'Ask somebody else of the staff, send a code to the old phone, or wait the 24 hours.',
  detail: {
    en: 'You asked for this change. Somebody else has to confirm it.',
    pt: 'Foi você quem pediu esta troca. Outra pessoa da equipe precisa confirmar.',
  },
});

export const codeWrong = defineProblem({
  code: 'code_wrong',
  status: 422,
  title: { en: 'The code is not right', pt: 'O código não confere' },
  cause: 'The code is wrong, used up or too old, or was sent to another phone.',
  remedy: 'Try again, or ask for a new code.',
  detail: (of?: 'current' | 'new') =>
    of === undefined
      ? { en: 'The code is not right.', pt: 'O código não confere.' }
      : of === 'new'
        ? {
            en: 'The code sent to the new phone is not right.',
            pt: 'O código enviado ao telefone novo não confere.',
            errors: [{ pointer: '/code', message: { en: 'is not right', pt: 'não confere' } }],
          }
        : {
            en: 'The code sent to the current phone is not right.',
            pt: 'O código enviado ao telefone atual não confere.',
            errors: [{ pointer: '/current/code', message: { en: 'is not right', pt: 'não confere' } }],
          },
});

export const cpfTaken = defineProblem({
  code: 'cpf_taken',
  status: 409,
  title: { en: 'There is a customer with this CPF already', pt: 'Já existe um cliente com este CPF' },
  cause: 'A person is registered once, whatever their phone.',
  remedy: 'Find the customer who has it, or check the number.',
  detail: { en: 'There is a customer with this CPF already.', pt: 'Já existe um cliente com este CPF.' },
});

export const phoneRegistered = defineProblem({
  code: 'phone_registered',
  status: 409,
  title: { en: 'This phone is registered already', pt: 'Este telefone já está cadastrado' },
  cause: 'The code is right, and a customer has the phone.',
  remedy: 'Log in with the same challenge and code (`POST /wallet/auth/otp/login`): they still work.',
  detail: {
    en: 'A customer has this phone. The code can be used to log in.',
    pt: 'Este telefone já tem cadastro. Use o código para entrar.',
  },
});

export const cpfRegistered = defineProblem({
  code: 'cpf_registered',
  status: 409,
  title: { en: 'This CPF is registered already', pt: 'Este CPF já está cadastrado' },
  cause: 'The person is a customer already, with another phone.',
  remedy:
    'Check the number, or log in with the phone it was registered with. The operator helps who has lost that phone.',
  detail: { en: 'There is a customer with this CPF already.', pt: 'Já existe um cliente com este CPF.' },
});

export const underage = defineProblem({
  code: 'underage',
  status: 422,
  title: { en: 'Customers are at least 18 years old', pt: 'É preciso ter 18 anos ou mais' },
  cause: 'By the birth date, the person is not 18 yet on this day in São Paulo.',
  remedy: 'Check the birth date. Who is younger can sign up from their 18th birthday on.',
  detail: (years: number) => ({
    en: `Customers are at least ${years} years old.`,
    pt: `É preciso ter pelo menos ${years} anos.`,
  }),
});

export const referralCodeUnknown = defineProblem({
  code: 'referral_code_unknown',
  status: 422,
  title: { en: 'Nobody has this referral code', pt: 'Ninguém tem este código de convite' },
  cause: 'The code was misread or mistyped. It has eight letters and digits, none of which look alike.',
  remedy: 'Ask for the code again, or register without one.',
  detail: (code: string) => ({
    en: `Nobody has the referral code '${code}'.`,
    pt: `Ninguém tem o código de indicação '${code}'.`,
  }),
});

export const moneyOwed = defineProblem({
  code: 'money_owed',
  status: 409,
  title: { en: 'Money is still owed', pt: 'Ainda há valores em aberto' },
  cause:
    'The customer owes something, or something is on its way back to them. Who they are is needed until that is settled. `detail` says what it is, `stopped_by` has a code for each and what it is about.',
  remedy: 'Wait until it is paid or has gone back, or write it off.',
  detail: (owed: readonly OpenDebt[]) => ({
    en: owed.map(({ en }) => en).join(' '),
    pt: owed.map(({ pt }) => pt).join(' '),
    members: { stopped_by: owed.map(({ en: _, pt: __, ...of }) => of) },
  }),
});

export const customerErased = defineProblem({
  code: 'customer_erased',
  status: 409,
  title: { en: 'The data of this customer was erased', pt: 'Os dados deste cliente foram apagados' },
  cause: 'Nobody knows any more who it was, and there is no way back.',
  remedy: 'If the person wants to be a customer again, register them anew.',
  detail: {
    en: 'There is nothing left of this customer.',
    pt: 'Não resta nenhum dado deste cliente.',
  },
});

/** The problems of an endpoint that requires a logged-in customer. */
export const tokenProblems: ProblemMaker[] = [tokenMissing, tokenInvalid, tokenExpired, tokenPartnerMismatch];
