import type { Client, components, StreamOptions } from '#client';

export type AnyLogin = components['schemas']['Login'] | components['schemas']['MemberLogin'];

/** The calls by which one kind of account, customer or member, signs in and follows its events. */
export type AccountKind = {
  /** Prefixes the cookies, so that a browser can be signed in as a customer and as a member at the same time. */
  cookiePrefix: string;
  sendCode(api: Client, phone: string): Promise<{ challenge_id: string }>;
  logInByCode(api: Client, body: { phone: string; challenge_id: string; code: string }): Promise<AnyLogin>;
  logOut(api: Client, refresh_token: string): Promise<unknown>;
  /** Fails with 401 if the session has ended. */
  checkSession(api: Client): Promise<unknown>;
  streamEvents(api: Client, options: StreamOptions): AsyncIterable<{ type: string }>;
  /** For the sandbox bar: its text about demo accounts, and whether it offers purchases. */
  demo: { accountsText: string; canBuy: boolean };
};

export const CUSTOMER_ACCOUNTS: AccountKind = {
  cookiePrefix: '',
  sendCode: (api, phone) => api.sendCode({ body: { phone } }),
  logInByCode: (api, body) => api.logInByCode({ body }),
  logOut: (api, refresh_token) => api.logOut({ body: { refresh_token } }),
  checkSession: (api) => api.getMe(),
  streamEvents: (api, options) => api.streamEvents(options),
  demo: {
    accountsText:
      'Contas prontas: (11) 98765-0001, senha semana-demo-1 (Ana, com compras); (11) 98765-0002, por código (Bruno, com uma oferta).',
    canBuy: true,
  },
};

export const MEMBER_ACCOUNTS: AccountKind = {
  cookiePrefix: 'balcao-',
  sendCode: (api, phone) => api.sendMemberCode({ body: { phone } }),
  logInByCode: (api, body) => api.logInMember({ body }),
  logOut: (api, refresh_token) => api.logOutMember({ body: { refresh_token } }),
  checkSession: (api) => api.getMerchantMe(),
  streamEvents: (api, options) => api.streamMerchantEvents(options),
  demo: {
    accountsText:
      'Da Padaria Flor do Trigo, por código: (11) 98765-0010 (Lúcia, responsável); (11) 98765-0011 (Téo, caixa).',
    canBuy: false,
  },
};

export const getPerson = (login: AnyLogin) => ('customer' in login ? login.customer : login.member);
