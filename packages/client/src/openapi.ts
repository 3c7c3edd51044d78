// Made by 'npm run generate' from openapi.json.
import type { components } from './openapi-schemas.ts';

export interface operations {
    getSigningKeys: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The keys that count now. */
            200: { content: { "application/json": components["schemas"]["Jwks"]; }; };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** The `after` of the last answer, or the `id` of an event. Without it, from the oldest that is kept. */
                after?: string;
                /** How many, at most 100. */
                limit?: number;
                /** Only these types, separated by commas. */
                types?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** The events. */
            200: { content: { "application/json": components["schemas"]["EventFeed"]; }; };
        };
    };
    streamPartnerEvents: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
            200: {
                content: {
                    "text/event-stream": components["schemas"]["PartnerEvent"] | components["schemas"]["StreamReset"];
                };
            };
        };
    };
    getMediaFile: {
        parameters: { query?: never; path: { name: string; }; };
        requestBody?: never;
        responses: {
            /** The picture. */
            200: { content: { "image/*": string; }; };
        };
    };
    logOutMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** The session is over. */
            204: { content?: never; };
        };
    };
    sendMemberCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PhoneForm"]; }; };
        responses: {
            /** A code is on its way. */
            202: { content: { "application/json": components["schemas"]["CodeOnItsWay"]; }; };
        };
    };
    logInMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["MemberCodeLogin"]; }; };
        responses: {
            /** Logged in. */
            200: { content: { "application/json": components["schemas"]["MemberLogin"]; }; };
        };
    };
    refreshMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** The next tokens. */
            200: { content: { "application/json": components["schemas"]["MemberLogin"]; }; };
        };
    };
    switchMerchant: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["SwitchForm"]; }; };
        responses: {
            /** Logged in there. */
            200: { content: { "application/json": components["schemas"]["MemberLogin"]; }; };
        };
    };
    listSales: {
        parameters: {
            query?: {
                /** Only those in this status now. */
                status?: "open" | "overdue" | "paid";
                /** Only those bought on this day. */
                on?: string;
                /** Only those bought on this day or later. */
                from?: string;
                /** Only those bought on this day or before. */
                to?: string;
                /** Only the one with this hash. */
                hash?: string;
                /** Only what came of the open offer with this code. */
                code?: string;
                /** Only those for exactly this much. */
                amount?: number;
                /** Only of customers whose name, as far as you see it, has this text in it; among the newest 2000 of the period. */
                q?: string;
                /** Only those from offers of this member. */
                by?: string;
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of sales. */
            200: { content: { "application/json": components["schemas"]["SalePage"]; }; };
        };
    };
    getSale: {
        parameters: {
            query?: never;
            path: {
                /** The hash, as in lists. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The sale. */
            200: { content: { "application/json": components["schemas"]["Sale"]; }; };
        };
    };
    returnSale: {
        parameters: {
            query?: {
                /** Only says what it would do. */
                dry_run?: "true" | "false";
            };
            path: {
                /** The hash, as in lists. */
                hash: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ReturnOrder"]; }; };
        responses: {
            /** A dry run: what it would do. */
            200: { content: { "application/json": components["schemas"]["ReturnPreview"]; }; };
            /** What came of it. */
            201: { content: { "application/json": components["schemas"]["MerchantReturn"]; }; };
            /** It waits for the operator. */
            202: { content: { "application/json": components["schemas"]["WaitingAnswer"]; }; };
        };
    };
    streamMerchantEvents: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
            200: {
                content: {
                    "text/event-stream": components["schemas"]["MerchantEvent"] | components["schemas"]["StreamReset"];
                };
            };
        };
    };
    getMerchantMe: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The member and the merchant. */
            200: { content: { "application/json": components["schemas"]["MerchantMe"]; }; };
        };
    };
    listMembers: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The members, the oldest first. */
            200: { content: { "application/json": { data: components["schemas"]["Member"][]; }; }; };
        };
    };
    addMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["MemberForm"]; }; };
        responses: {
            /** The member. */
            201: { content: { "application/json": components["schemas"]["Member"]; }; };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            path: {
                /** The member. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** They are out. */
            204: { content?: never; };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            path: {
                /** The member. */
                id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["MemberChange"]; }; };
        responses: {
            /** The member. */
            200: { content: { "application/json": components["schemas"]["Member"]; }; };
        };
    };
    listMemberSessions: {
        parameters: {
            query?: never;
            path: {
                /** The member. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The sessions. */
            200: { content: { "application/json": components["schemas"]["MemberSessionList"]; }; };
        };
    };
    endMemberSession: {
        parameters: {
            query?: never;
            path: {
                /** The member. */
                id: string;
                /** The session, as in the list. */
                session: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The session is over. */
            204: { content?: never; };
        };
    };
    listOffers: {
        parameters: {
            query?: {
                /** Only those in this status now. */
                status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /** Only those that you called this. */
                reference?: string;
                /** Only the open offer with this code. */
                code?: string;
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of offers. */
            200: { content: { "application/json": components["schemas"]["MerchantOfferPage"]; }; };
        };
    };
    createOffer: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["OfferOrder"]; }; };
        responses: {
            /** There is an offer of this reference already, pending or accepted: this one. */
            200: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
            /** The offer. */
            201: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
        };
    };
    getOffer: {
        parameters: {
            query?: never;
            path: {
                /** The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The offer. */
            200: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
        };
    };
    cancelOffer: {
        parameters: {
            query?: never;
            path: {
                /** The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The offer, cancelled. */
            200: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
        };
    };
    getOwnPayoutAccount: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The account; null where nothing is known. */
            200: { content: { "application/json": components["schemas"]["OwnPayoutAccount"]; }; };
        };
    };
    changeOwnPayoutAccount: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["OwnPayoutAccountForm"]; }; };
        responses: {
            /** The account, and the change that waits. */
            200: { content: { "application/json": components["schemas"]["OwnPayoutAccount"]; }; };
        };
    };
    listOwnPayouts: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
                status?: "pending" | "paid" | "failed";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of payouts. */
            200: { content: { "application/json": components["schemas"]["PayoutPage"]; }; };
        };
    };
    getOwnPayout: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path: {
                /** The payout. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The payout. */
            200: { content: { "application/json": components["schemas"]["PayoutWithLines"]; }; };
        };
    };
    quoteSale: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["QuoteOrder"]; }; };
        responses: {
            /** The quote. */
            200: { content: { "application/json": components["schemas"]["Quote"]; }; };
        };
    };
    listWaitingReturns: {
        parameters: {
            query?: {
                status?: "waiting" | "made" | "refused";
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of returns. */
            200: { content: { "application/json": components["schemas"]["WaitingReturnPage"]; }; };
        };
    };
    listSalesByDay: {
        parameters: {
            query?: {
                /** The first day, in São Paulo. */
                from?: string;
                /** The last day; today unless sent, in São Paulo. */
                to?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** The days. */
            200: { content: { "application/json": components["schemas"]["SalesByDay"]; }; };
        };
    };
    getMerchantStatement: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
                /** On or after this day, in São Paulo. */
                from?: string;
                /** On or before this day, in São Paulo. */
                to?: string;
                /** Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of the statement. */
            200: {
                content: {
                    "application/json": components["schemas"]["AccountStatement"];
                    "text/csv": string;
                };
            };
        };
    };
    getMerchantSummary: {
        parameters: {
            query?: {
                /** The day; today unless sent, in São Paulo. */
                on?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** The day. */
            200: { content: { "application/json": components["schemas"]["MerchantSummary"]; }; };
        };
    };
    getAgreement: {
        parameters: {
            query?: never;
            path: {
                /** `terms`: of use. `privacy`: what is done with personal data. */
                kind: "terms" | "privacy";
            };
        };
        requestBody?: never;
        responses: {
            /** The text. */
            200: { content: { "application/json": components["schemas"]["Agreement"]; }; };
        };
    };
    listPosts: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of posts. */
            200: { content: { "application/json": components["schemas"]["PostPage"]; }; };
        };
    };
    getPost: {
        parameters: {
            query?: never;
            path: {
                /** The slug, as in lists. */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The post, as Markdown and as HTML. */
            200: { content: { "application/json": components["schemas"]["Post"]; }; };
        };
    };
    listCategories: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The categories. */
            200: { content: { "application/json": components["schemas"]["CategoryList"]; }; };
        };
    };
    getCreditor: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The creditor. */
            200: { content: { "application/json": components["schemas"]["Creditor"]; }; };
        };
    };
    listFaq: {
        parameters: {
            query?: {
                /** Only those of this topic. */
                topic?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** Questions and answers, topic by topic. */
            200: { content: { "application/json": components["schemas"]["FaqList"]; }; };
        };
    };
    createLead: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["LeadForm"]; }; };
        responses: {
            /** The lead is stored. */
            201: { content: { "application/json": components["schemas"]["Lead"]; }; };
        };
    };
    listMerchants: {
        parameters: {
            query?: {
                /** Slug of a category. */
                category?: string;
                /** Text to search for. */
                q?: string;
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of merchants. */
            200: { content: { "application/json": components["schemas"]["MerchantPage"]; }; };
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            path: {
                /** The slug, as in lists. */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The merchant. */
            200: { content: { "application/json": components["schemas"]["Merchant"]; }; };
        };
    };
    quotePurchase: {
        parameters: {
            query: {
                /** What is bought for, in reais. */
                amount: number;
                /** One a week. */
                installments: number;
            };
            path: {
                /** The slug, as in lists. */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The quote. */
            200: { content: { "application/json": components["schemas"]["Quote"]; }; };
        };
    };
    getOpenOffer: {
        parameters: {
            query?: never;
            path: {
                /** Of the link: what follows /pagar/, or of an offer to a phone its id. */
                token: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The offer. */
            200: { content: { "application/json": components["schemas"]["PublicOffer"]; }; };
        };
    };
    logIn: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PasswordLogin"]; }; };
        responses: {
            /** Logged in. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    logOut: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** The session is over. */
            204: { content?: never; };
        };
    };
    sendCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PhoneForm"]; }; };
        responses: {
            /** A code is on its way. */
            202: { content: { "application/json": components["schemas"]["CodeOnItsWay"]; }; };
        };
    };
    logInByCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CodeLogin"]; }; };
        responses: {
            /** Logged in. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    setPassword: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["NewPassword"]; }; };
        responses: {
            /** The password is set. */
            204: { content?: never; };
        };
    };
    checkPhone: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PhoneForm"]; }; };
        responses: {
            /** What the phone can do. */
            200: { content: { "application/json": components["schemas"]["PhoneCheck"]; }; };
        };
    };
    refresh: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** The next tokens. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    signUp: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["SignUpForm"]; }; };
        responses: {
            /** The customer, logged in. */
            201: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    getCalendar: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The calendar. */
            200: { content: { "application/json": components["schemas"]["WalletCalendar"]; }; };
        };
    };
    makeCalendarFeed: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The address. It is not shown again. */
            201: { content: { "application/json": components["schemas"]["CalendarFeed"]; }; };
        };
    };
    endCalendarFeed: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** It is ended. */
            204: { content?: never; };
        };
    };
    getCashbackBalance: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The balance. */
            200: { content: { "application/json": components["schemas"]["CashbackBalance"]; }; };
        };
    };
    listCashbackEntries: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
                /** Only so many entries, counted from the oldest; `Link` has it. */
                up_to?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of the statement. */
            200: { content: { "application/json": components["schemas"]["CashbackLedger"]; }; };
        };
    };
    listCheckouts: {
        parameters: {
            query?: {
                /** Only those in this status now. */
                status?: "open" | "overdue" | "paid";
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of purchases. */
            200: { content: { "application/json": components["schemas"]["CheckoutPage"]; }; };
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            path: {
                /** The hash, as in lists. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The purchase. */
            200: { content: { "application/json": components["schemas"]["Checkout"]; }; };
        };
    };
    getAutopay: {
        parameters: {
            query?: never;
            path: {
                /** The purchase. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The authorisation. */
            200: { content: { "application/json": components["schemas"]["Autopay"]; }; };
        };
    };
    askAutopay: {
        parameters: {
            query?: never;
            path: {
                /** The purchase. */
                hash: string;
            };
        };
        requestBody?: { content: { "application/json": components["schemas"]["AutopayRequest"]; }; };
        responses: {
            /** There is such a code already: this one. */
            200: { content: { "application/json": components["schemas"]["Autopay"]; }; };
            /** The authorisation, with the code for the bank. */
            201: { content: { "application/json": components["schemas"]["Autopay"]; }; };
        };
    };
    endAutopay: {
        parameters: {
            query?: never;
            path: {
                /** The purchase. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** It is ended. */
            204: { content?: never; };
        };
    };
    getContract: {
        parameters: {
            query?: never;
            path: {
                /** The hash, as in lists. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The contract. */
            200: { content: { "application/pdf": string; }; };
        };
    };
    getCredit: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The limit. */
            200: { content: { "application/json": components["schemas"]["WalletCredit"]; }; };
        };
    };
    acceptCreditLimit: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The limit, which counts now. */
            200: { content: { "application/json": components["schemas"]["WalletCredit"]; }; };
        };
    };
    askCreditReview: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** A person was asked already. */
            200: { content: { "application/json": components["schemas"]["CreditReviewAsked"]; }; };
            /** A person will look at it. */
            201: { content: { "application/json": components["schemas"]["CreditReviewAsked"]; }; };
        };
    };
    changeOwnEmail: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["NewEmail"]; }; };
        responses: {
            /** The customer. */
            200: { content: { "application/json": components["schemas"]["Customer"]; }; };
        };
    };
    checkErasure: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** What has to be settled first. */
            200: { content: { "application/json": components["schemas"]["ErasureCheck"]; }; };
        };
    };
    eraseOwnAccount: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CodeProof"]; }; };
        responses: {
            /** Nothing tells who it was any more. */
            204: { content?: never; };
        };
    };
    streamEvents: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
            200: {
                content: {
                    "text/event-stream": components["schemas"]["WalletEvent"] | components["schemas"]["StreamReset"];
                };
            };
        };
    };
    exportOwnData: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** Everything, by table. */
            200: { content: { "application/json": components["schemas"]["CustomerExport"]; }; };
        };
    };
    payWithCashback: {
        parameters: {
            query?: never;
            path: {
                /** The installment, as in its purchase. */
                id: string;
            };
        };
        requestBody?: { content: { "application/json": components["schemas"]["RedemptionRequest"]; }; };
        responses: {
            /** What was paid, and what is left. */
            201: { content: { "application/json": components["schemas"]["Redemption"]; }; };
        };
    };
    listPix: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path: {
                /** The installment, as in the purchase. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** A page of charges. */
            200: { content: { "application/json": components["schemas"]["PixChargePage"]; }; };
        };
    };
    createPix: {
        parameters: {
            query?: never;
            path: {
                /** The installment, as in the purchase. */
                id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ChargeRequest"]; }; };
        responses: {
            /** There is such a charge already: this one. */
            200: { content: { "application/json": components["schemas"]["PixCharge"]; }; };
            /** The charge, with the code to pay it. */
            201: { content: { "application/json": components["schemas"]["PixCharge"]; }; };
        };
    };
    getMe: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The customer. */
            200: { content: { "application/json": components["schemas"]["Customer"]; }; };
        };
    };
    listWalletMessages: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of messages. */
            200: { content: { "application/json": components["schemas"]["WalletMessages"]; }; };
        };
    };
    listWalletOffers: {
        parameters: {
            query?: {
                /** Only those in this status now. */
                status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of offers. */
            200: { content: { "application/json": components["schemas"]["WalletOfferPage"]; }; };
        };
    };
    getWalletOffer: {
        parameters: {
            query?: {
                /** In fewer installments than offered, if so. */
                installments?: number;
            };
            path: {
                /** The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The offer. */
            200: { content: { "application/json": components["schemas"]["WalletOffer"]; }; };
        };
    };
    acceptOffer: {
        parameters: {
            query?: never;
            path: {
                /** The id, as in lists. */
                id: string;
            };
        };
        requestBody?: { content: { "application/json": components["schemas"]["InstallmentsChoice"]; }; };
        responses: {
            /** The purchase. */
            201: { content: { "application/json": components["schemas"]["Checkout"]; }; };
        };
    };
    declineOffer: {
        parameters: {
            query?: never;
            path: {
                /** The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** It is declined. */
            204: { content?: never; };
        };
    };
    claimOffer: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["OfferClaim"]; }; };
        responses: {
            /** The offer. */
            200: { content: { "application/json": components["schemas"]["WalletOffer"]; }; };
        };
    };
    changeOwnPhone: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["NewPhone"]; }; };
        responses: {
            /** Logged in with the new phone. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    getPhoneChange: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The change that waits. */
            200: { content: { "application/json": components["schemas"]["OwnPhoneChange"]; }; };
        };
    };
    cancelOwnPhoneChange: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The phone stays as it is. */
            204: { content?: never; };
        };
    };
    getPix: {
        parameters: {
            query?: never;
            path: {
                /** The charge. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The charge as it is now. */
            200: { content: { "application/json": components["schemas"]["PixChargeWithRefunds"]; }; };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            path: {
                /** The charge. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The receipt. */
            200: { content: { "application/pdf": string; }; };
        };
    };
    getPreferences: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The preferences. */
            200: { content: { "application/json": components["schemas"]["Preferences"]; }; };
        };
    };
    setPreferences: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    /** In this order, until one takes the message. Legal notices go by the others besides. */
                    channels?: ("whatsapp" | "sms" | "email" | "push")[];
                    /** Whether to be reminded before the due day. Of what is due and late everybody is reminded. */
                    reminders_before_due?: boolean;
                    /** Whether to be told of offers of ours. */
                    news?: boolean;
                };
            };
        };
        responses: {
            /** The preferences as they are now. */
            200: { content: { "application/json": components["schemas"]["Preferences"]; }; };
        };
    };
    getPush: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The key to subscribe with, and how many browsers have. */
            200: {
                content: {
                    "application/json": {
                        /** For `applicationServerKey` of PushManager; null: there is no Web Push here. */
                        public_key: string | null;
                        browsers: number;
                    };
                };
            };
        };
    };
    addPush: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    endpoint: string;
                    expirationTime?: number | null;
                    keys: {
                        /** Of the browser. */
                        p256dh: string;
                        /** Its secret. */
                        auth: string;
                    };
                };
            };
        };
        responses: {
            /** It is told from now on. */
            204: { content?: never; };
        };
    };
    endPush: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** No browser of the customer’s is told any more. */
            204: { content?: never; };
        };
    };
    getReferral: {
        parameters: {
            query?: {
                /** Which page; the first is 1. */
                page?: number;
                /** How many to a page, at most 100. */
                limit?: number;
                /** Only so many invitations, counted from the oldest; `Link` has it. */
                up_to?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** The referral program. */
            200: { content: { "application/json": components["schemas"]["Referral"]; }; };
        };
    };
    listSessions: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** The sessions. */
            200: { content: { "application/json": components["schemas"]["WalletSessionList"]; }; };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            path: {
                /** The id, as in the list. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The session is over. */
            204: { content?: never; };
        };
    };
    getStatement: {
        parameters: {
            query?: never;
            path: {
                /** The year. */
                year: string;
            };
        };
        requestBody?: never;
        responses: {
            /** The statement. */
            200: { content: { "application/pdf": string; }; };
        };
    };
}
