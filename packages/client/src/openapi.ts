// Made by 'npm run generate' from openapi.json.
import type { components } from './openapi-schemas.ts';

export interface operations {
    getSigningKeys: {
        /** The keys that count now. */
        answer: components["schemas"]["Jwks"];
    };
    listEvents: {
        query?: {
            /** The `after` of the last answer, or the `id` of an event. Without it, from the oldest that is kept. */
            after?: string;
            /** How many, at most 100. */
            limit?: number;
            /** Only these types, separated by commas. */
            types?: string;
        };
        /** The events. */
        answer: components["schemas"]["EventFeed"];
    };
    streamPartnerEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
        answer: undefined;
        stream: components["schemas"]["PartnerEvent"] | components["schemas"]["StreamReset"];
    };
    getMediaFile: {
        path: { name: string; };
        /** The picture. */
        answer: Uint8Array;
    };
    logOutMember: {
        body: components["schemas"]["RefreshForm"];
        /** The session is over. */
        answer: undefined;
    };
    sendMemberCode: {
        body: components["schemas"]["PhoneForm"];
        /** A code is on its way. */
        answer: components["schemas"]["CodeOnItsWay"];
    };
    logInMember: {
        body: components["schemas"]["MemberCodeLogin"];
        /** Logged in. */
        answer: components["schemas"]["MemberLogin"];
    };
    refreshMember: {
        body: components["schemas"]["RefreshForm"];
        /** The next tokens. */
        answer: components["schemas"]["MemberLogin"];
    };
    switchMerchant: {
        body: components["schemas"]["SwitchForm"];
        /** Logged in there. */
        answer: components["schemas"]["MemberLogin"];
    };
    listSales: {
        query?: {
            /** Only those in this status now. */
            status?: "open" | "overdue" | "paid";
            /**
             * Format: date
             * Only those bought on this day.
             */
            on?: string;
            /**
             * Format: date
             * Only those bought on this day or later.
             */
            from?: string;
            /**
             * Format: date
             * Only those bought on this day or before.
             */
            to?: string;
            /** Only the one with this hash. */
            hash?: string;
            /**
             * Format: text
             * Only what came of the open offer with this code.
             */
            code?: string;
            /** Only those for exactly this much. */
            amount?: number;
            /**
             * Format: text
             * Only of customers whose name, as far as you see it, has this text in it; among the newest 2000 of the period.
             */
            q?: string;
            /** Only those from offers of this member. */
            by?: string;
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of sales. */
        answer: components["schemas"]["SalePage"];
    };
    getSale: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        /** The sale. */
        answer: components["schemas"]["Sale"];
    };
    returnSale: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        query?: {
            /** Only says what it would do. */
            dry_run?: "true" | "false";
        };
        body: components["schemas"]["ReturnOrder"];
        /**
         * 200: A dry run: what it would do.
         *     201: What came of it.
         *     202: It waits for the operator.
         */
        answer: components["schemas"]["ReturnPreview"] | components["schemas"]["MerchantReturn"] | components["schemas"]["WaitingAnswer"];
    };
    streamMerchantEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
        answer: undefined;
        stream: components["schemas"]["MerchantEvent"] | components["schemas"]["StreamReset"];
    };
    getMerchantMe: {
        /** The member and the merchant. */
        answer: components["schemas"]["MerchantMe"];
    };
    listMembers: {
        /** The members, the oldest first. */
        answer: { data: components["schemas"]["Member"][]; };
    };
    addMember: {
        body: components["schemas"]["MemberForm"];
        /** The member. */
        answer: components["schemas"]["Member"];
    };
    changeMember: {
        path: {
            /** The member. */
            id: string;
        };
        body: components["schemas"]["MemberChange"];
        /** The member. */
        answer: components["schemas"]["Member"];
    };
    removeMember: {
        path: {
            /** The member. */
            id: string;
        };
        /** They are out. */
        answer: undefined;
    };
    listMemberSessions: {
        path: {
            /** The member. */
            id: string;
        };
        /** The sessions. */
        answer: components["schemas"]["MemberSessionList"];
    };
    endMemberSession: {
        path: {
            /** The member. */
            id: string;
            /** The session, as in the list. */
            session: string;
        };
        /** The session is over. */
        answer: undefined;
    };
    listOffers: {
        query?: {
            /** Only those in this status now. */
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: text
             * Only those that you called this.
             */
            reference?: string;
            /**
             * Format: text
             * Only the open offer with this code.
             */
            code?: string;
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of offers. */
        answer: components["schemas"]["MerchantOfferPage"];
    };
    createOffer: {
        body: components["schemas"]["OfferOrder"];
        /**
         * 200: There is an offer of this reference already, pending or accepted: this one.
         *     201: The offer.
         */
        answer: components["schemas"]["MerchantOffer"];
    };
    getOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        /** The offer. */
        answer: components["schemas"]["MerchantOffer"];
    };
    cancelOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        /** The offer, cancelled. */
        answer: components["schemas"]["MerchantOffer"];
    };
    getOwnPayoutAccount: {
        /** The account; null where nothing is known. */
        answer: components["schemas"]["OwnPayoutAccount"];
    };
    changeOwnPayoutAccount: {
        body: components["schemas"]["OwnPayoutAccountForm"];
        /** The account, and the change that waits. */
        answer: components["schemas"]["OwnPayoutAccount"];
    };
    listOwnPayouts: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            status?: "pending" | "paid" | "failed";
        };
        /** A page of payouts. */
        answer: components["schemas"]["PayoutPage"];
    };
    getOwnPayout: {
        path: {
            /** The payout. */
            id: string;
        };
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** The payout. */
        answer: components["schemas"]["PayoutWithLines"];
    };
    quoteSale: {
        body: components["schemas"]["QuoteOrder"];
        /** The quote. */
        answer: components["schemas"]["Quote"];
    };
    listWaitingReturns: {
        query?: {
            status?: "waiting" | "made" | "refused";
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of returns. */
        answer: components["schemas"]["WaitingReturnPage"];
    };
    listSalesByDay: {
        query?: {
            /**
             * Format: date
             * The first day, in São Paulo.
             */
            from?: string;
            /**
             * Format: date
             * The last day; today unless sent, in São Paulo.
             */
            to?: string;
        };
        /** The days. */
        answer: components["schemas"]["SalesByDay"];
    };
    getMerchantStatement: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            /**
             * Format: date
             * On or after this day, in São Paulo.
             */
            from?: string;
            /**
             * Format: date
             * On or before this day, in São Paulo.
             */
            to?: string;
            /** Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
            csv?: "plain" | "br";
        };
        /** A page of the statement. */
        answer: components["schemas"]["AccountStatement"];
    };
    getMerchantSummary: {
        query?: {
            /**
             * Format: date
             * The day; today unless sent, in São Paulo.
             */
            on?: string;
        };
        /** The day. */
        answer: components["schemas"]["MerchantSummary"];
    };
    getAgreement: {
        path: {
            /** `terms`: of use. `privacy`: what is done with personal data. */
            kind: "terms" | "privacy";
        };
        /** The text. */
        answer: components["schemas"]["Agreement"];
    };
    listPosts: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of posts. */
        answer: components["schemas"]["PostPage"];
    };
    getPost: {
        path: {
            /** The slug, as in lists. */
            slug: string;
        };
        /** The post, as Markdown and as HTML. */
        answer: components["schemas"]["Post"];
    };
    listCategories: {
        /** The categories. */
        answer: components["schemas"]["CategoryList"];
    };
    getCreditor: {
        /** The creditor. */
        answer: components["schemas"]["Creditor"];
    };
    listFaq: {
        query?: {
            /** Only those of this topic. */
            topic?: string;
        };
        /** Questions and answers, topic by topic. */
        answer: components["schemas"]["FaqList"];
    };
    createLead: {
        body: components["schemas"]["LeadForm"];
        /** The lead is stored. */
        answer: components["schemas"]["Lead"];
    };
    listMerchants: {
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
        /** A page of merchants. */
        answer: components["schemas"]["MerchantPage"];
    };
    getMerchant: {
        path: {
            /** The slug, as in lists. */
            slug: string;
        };
        /** The merchant. */
        answer: components["schemas"]["Merchant"];
    };
    quotePurchase: {
        path: {
            /** The slug, as in lists. */
            slug: string;
        };
        query: {
            /** What is bought for, in reais. */
            amount: number;
            /** One a week. */
            installments: number;
        };
        /** The quote. */
        answer: components["schemas"]["Quote"];
    };
    getOpenOffer: {
        path: {
            /** Of the link: what follows /pagar/, or of an offer to a phone its id. */
            token: string;
        };
        /** The offer. */
        answer: components["schemas"]["PublicOffer"];
    };
    logIn: {
        body: components["schemas"]["PasswordLogin"];
        /** Logged in. */
        answer: components["schemas"]["Login"];
    };
    logOut: {
        body: components["schemas"]["RefreshForm"];
        /** The session is over. */
        answer: undefined;
    };
    sendCode: {
        body: components["schemas"]["PhoneForm"];
        /** A code is on its way. */
        answer: components["schemas"]["CodeOnItsWay"];
    };
    logInByCode: {
        body: components["schemas"]["CodeLogin"];
        /** Logged in. */
        answer: components["schemas"]["Login"];
    };
    setPassword: {
        body: components["schemas"]["NewPassword"];
        /** The password is set. */
        answer: undefined;
    };
    checkPhone: {
        body: components["schemas"]["PhoneForm"];
        /** What the phone can do. */
        answer: components["schemas"]["PhoneCheck"];
    };
    refresh: {
        body: components["schemas"]["RefreshForm"];
        /** The next tokens. */
        answer: components["schemas"]["Login"];
    };
    signUp: {
        body: components["schemas"]["SignUpForm"];
        /** The customer, logged in. */
        answer: components["schemas"]["Login"];
    };
    getCalendar: {
        /** The calendar. */
        answer: components["schemas"]["WalletCalendar"];
    };
    makeCalendarFeed: {
        /** The address. It is not shown again. */
        answer: components["schemas"]["CalendarFeed"];
    };
    endCalendarFeed: {
        /** It is ended. */
        answer: undefined;
    };
    getCashbackBalance: {
        /** The balance. */
        answer: components["schemas"]["CashbackBalance"];
    };
    listCashbackEntries: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            /** Only so many entries, counted from the oldest; `Link` has it. */
            up_to?: number;
        };
        /** A page of the statement. */
        answer: components["schemas"]["CashbackLedger"];
    };
    listCheckouts: {
        query?: {
            /** Only those in this status now. */
            status?: "open" | "overdue" | "paid";
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of purchases. */
        answer: components["schemas"]["CheckoutPage"];
    };
    getCheckout: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        /** The purchase. */
        answer: components["schemas"]["Checkout"];
    };
    getAutopay: {
        path: {
            /** The purchase. */
            hash: string;
        };
        /** The authorisation. */
        answer: components["schemas"]["Autopay"];
    };
    askAutopay: {
        path: {
            /** The purchase. */
            hash: string;
        };
        body?: components["schemas"]["AutopayRequest"];
        /**
         * 200: There is such a code already: this one.
         *     201: The authorisation, with the code for the bank.
         */
        answer: components["schemas"]["Autopay"];
    };
    endAutopay: {
        path: {
            /** The purchase. */
            hash: string;
        };
        /** It is ended. */
        answer: undefined;
    };
    getContract: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        /** The contract. */
        answer: undefined;
    };
    getCredit: {
        /** The limit. */
        answer: components["schemas"]["WalletCredit"];
    };
    acceptCreditLimit: {
        /** The limit, which counts now. */
        answer: components["schemas"]["WalletCredit"];
    };
    askCreditReview: {
        /**
         * 200: A person was asked already.
         *     201: A person will look at it.
         */
        answer: components["schemas"]["CreditReviewAsked"];
    };
    changeOwnEmail: {
        body: components["schemas"]["NewEmail"];
        /** The customer. */
        answer: components["schemas"]["Customer"];
    };
    checkErasure: {
        /** What has to be settled first. */
        answer: components["schemas"]["ErasureCheck"];
    };
    eraseOwnAccount: {
        body: components["schemas"]["CodeProof"];
        /** Nothing tells who it was any more. */
        answer: undefined;
    };
    streamEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
        answer: undefined;
        stream: components["schemas"]["WalletEvent"] | components["schemas"]["StreamReset"];
    };
    exportOwnData: {
        /** Everything, by table. */
        answer: components["schemas"]["CustomerExport"];
    };
    payWithCashback: {
        path: {
            /** The installment, as in its purchase. */
            id: string;
        };
        body?: components["schemas"]["RedemptionRequest"];
        /** What was paid, and what is left. */
        answer: components["schemas"]["Redemption"];
    };
    listPix: {
        path: {
            /** The installment, as in the purchase. */
            id: string;
        };
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of charges. */
        answer: components["schemas"]["PixChargePage"];
    };
    createPix: {
        path: {
            /** The installment, as in the purchase. */
            id: string;
        };
        body: components["schemas"]["ChargeRequest"];
        /**
         * 200: There is such a charge already: this one.
         *     201: The charge, with the code to pay it.
         */
        answer: components["schemas"]["PixCharge"];
    };
    getMe: {
        /** The customer. */
        answer: components["schemas"]["Customer"];
    };
    listWalletMessages: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of messages. */
        answer: components["schemas"]["WalletMessages"];
    };
    listWalletOffers: {
        query?: {
            /** Only those in this status now. */
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of offers. */
        answer: components["schemas"]["WalletOfferPage"];
    };
    getWalletOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        query?: {
            /** In fewer installments than offered, if so. */
            installments?: number;
        };
        /** The offer. */
        answer: components["schemas"]["WalletOffer"];
    };
    acceptOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        body?: components["schemas"]["InstallmentsChoice"];
        /** The purchase. */
        answer: components["schemas"]["Checkout"];
    };
    declineOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        /** It is declined. */
        answer: undefined;
    };
    claimOffer: {
        body: components["schemas"]["OfferClaim"];
        /** The offer. */
        answer: components["schemas"]["WalletOffer"];
    };
    changeOwnPhone: {
        body: components["schemas"]["NewPhone"];
        /** Logged in with the new phone. */
        answer: components["schemas"]["Login"];
    };
    getPhoneChange: {
        /** The change that waits. */
        answer: components["schemas"]["OwnPhoneChange"];
    };
    cancelOwnPhoneChange: {
        /** The phone stays as it is. */
        answer: undefined;
    };
    getPix: {
        path: {
            /** The charge. */
            id: string;
        };
        /** The charge as it is now. */
        answer: components["schemas"]["PixChargeWithRefunds"];
    };
    getReceipt: {
        path: {
            /** The charge. */
            id: string;
        };
        /** The receipt. */
        answer: undefined;
    };
    getPreferences: {
        /** The preferences. */
        answer: components["schemas"]["Preferences"];
    };
    setPreferences: {
        /** What is left out stays as it is. */
        body: {
            /** In this order, until one takes the message. Legal notices go by the others besides. */
            channels?: ("whatsapp" | "sms" | "email" | "push")[];
            /** Whether to be reminded before the due day. Of what is due and late everybody is reminded. */
            reminders_before_due?: boolean;
            /** Whether to be told of offers of ours. */
            news?: boolean;
        };
        /** The preferences as they are now. */
        answer: components["schemas"]["Preferences"];
    };
    getPush: {
        /** The key to subscribe with, and how many browsers have. */
        answer: {
            /** For `applicationServerKey` of PushManager; null: there is no Web Push here. */
            public_key: string | null;
            browsers: number;
        };
    };
    addPush: {
        body: {
            endpoint: string;
            expirationTime?: number | null;
            keys: {
                /** Of the browser. */
                p256dh: string;
                /** Its secret. */
                auth: string;
            };
        };
        /** It is told from now on. */
        answer: undefined;
    };
    endPush: {
        /** No browser of the customer’s is told any more. */
        answer: undefined;
    };
    getReferral: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            /** Only so many invitations, counted from the oldest; `Link` has it. */
            up_to?: number;
        };
        /** The referral program. */
        answer: components["schemas"]["Referral"];
    };
    listSessions: {
        /** The sessions. */
        answer: components["schemas"]["WalletSessionList"];
    };
    endSession: {
        path: {
            /** The id, as in the list. */
            id: string;
        };
        /** The session is over. */
        answer: undefined;
    };
    getStatement: {
        path: {
            /** The year. */
            year: string;
        };
        /** The statement. */
        answer: undefined;
    };
}
