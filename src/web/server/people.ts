import type { Client, components, StreamOptions } from '#client';

export type AnyLogin = components['schemas']['Login'] | components['schemas']['MemberLogin'];

/** The calls by which one kind of people signs in. */
export type PeopleKind = {
  /** Begins the names of its cookies: in one browser somebody of each kind can be signed in. */
  prefix: string;
  sendCode(api: Client, phone: string): Promise<{ challenge_id: string }>;
  logInByCode(api: Client, body: { phone: string; challenge_id: string; code: string }): Promise<AnyLogin>;
  logOut(api: Client, refresh_token: string): Promise<unknown>;
  /** Fails with 401 when the session is over. */
  check(api: Client): Promise<unknown>;
  events(api: Client, options: StreamOptions): AsyncIterable<{ type: string }>;
  /** What the sandbox bar says about accounts to try, and whether it has them buy. */
  demo: { accounts: string; buys: boolean };
};

export const CUSTOMERS: PeopleKind = {
  prefix: '',
  sendCode: (api, phone) => api.sendCode({ body: { phone } }),
  logInByCode: (api, body) => api.logInByCode({ body }),
  logOut: (api, refresh_token) => api.logOut({ body: { refresh_token } }),
  check: (api) => api.getMe(),
  events: (api, options) => api.streamEvents(options),
  demo: {
    accounts:
      'Contas prontas: (11) 98765-0001, senha semana-demo-1 (Ana, com compras); (11) 98765-0002, por código (Bruno, com uma oferta).',
    buys: true,
  },
};

export const MEMBERS: PeopleKind = {
  prefix: 'balcao-',
  sendCode: (api, phone) => api.sendMemberCode({ body: { phone } }),
  logInByCode: (api, body) => api.logInMember({ body }),
  logOut: (api, refresh_token) => api.logOutMember({ body: { refresh_token } }),
  check: (api) => api.getMerchantMe(),
  events: (api, options) => api.streamMerchantEvents(options),
  demo: {
    accounts:
      'Da Padaria Flor do Trigo, por código: (11) 98765-0010 (Lúcia, responsável); (11) 98765-0011 (Téo, caixa).',
    buys: false,
  },
};

export const personOf = (login: AnyLogin) => ('customer' in login ? login.customer : login.member);
