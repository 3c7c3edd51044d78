// Made by 'npm run generate' from openapi.json.
import type { Schemas } from './openapi-schemas.ts';

export interface operations {
    listMerchants: {
        query?: {
            /** Slug of a category. */
            category?: string;
            /** Text to search for. */
            q?: string;
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of merchants. */
        answer: Schemas["MerchantPage"];
    };
    getMerchant: {
        path: {
            /** The slug, as returned in lists. */
            slug: string;
        };
        /** The merchant. */
        answer: Schemas["Merchant"];
    };
    listCategories: {
        /** The categories. */
        answer: Schemas["CategoryList"];
    };
    listFaq: {
        query?: {
            /** Only entries of this topic. */
            topic?: string;
        };
        /** The entries, grouped by topic. */
        answer: Schemas["FaqList"];
    };
    listFaqTopics: {
        /** The topics, by name. */
        answer: Schemas["FaqTopicList"];
    };
    listPosts: {
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of posts. */
        answer: Schemas["PostPage"];
    };
    getPost: {
        path: {
            /** The slug, as returned in lists. */
            slug: string;
        };
        /** The post, with its text as Markdown and as HTML. */
        answer: Schemas["Post"];
    };
    createLead: {
        body: Schemas["LeadForm"];
        /** The lead is stored. */
        answer: Schemas["Lead"];
    };
    getMediaFile: {
        path: { name: string; };
        /** The picture. */
        answer: Uint8Array;
    };
    getAgreement: {
        path: {
            /**
             * `terms`: the terms of use. `privacy`: the privacy notice.
             * @enum {string}
             */
            kind: "terms" | "privacy";
        };
        /** The text. */
        answer: Schemas["Agreement"];
    };
    getCreditor: {
        /** The creditor. */
        answer: Schemas["Creditor"];
    };
    quotePurchase: {
        path: {
            /** The slug, as returned in lists. */
            slug: string;
        };
        query: {
            /** Purchase amount in reais. */
            amount: number;
            /** Number of weekly installments. */
            installments: number;
        };
        /** The quote. */
        answer: Schemas["Quote"];
    };
    getOpenOffer: {
        path: {
            /** The token in the link, after /pagar/, or the id of an offer to a phone. */
            token: string;
        };
        /** The offer. */
        answer: Schemas["PublicOffer"];
    };
    checkPhone: {
        body: Schemas["PhoneForm"];
        /** The login methods of the phone. */
        answer: Schemas["PhoneCheck"];
    };
    logIn: {
        body: Schemas["PasswordLogin"];
        /** A new session. */
        answer: Schemas["Login"];
    };
    getSigningKeys: {
        /** The keys that are valid now. */
        answer: Schemas["Jwks"];
    };
    logOut: {
        body: Schemas["RefreshForm"];
        /** The session has ended. */
        answer: undefined;
    };
    sendCode: {
        body: Schemas["PhoneForm"];
        /** The code is being sent. */
        answer: Schemas["CodeOnItsWay"];
    };
    logInByCode: {
        body: Schemas["CodeLogin"];
        /** A new session. */
        answer: Schemas["Login"];
    };
    setPassword: {
        body: Schemas["NewPassword"];
        /** The password is set. */
        answer: undefined;
    };
    refresh: {
        body: Schemas["RefreshForm"];
        /** The new tokens. */
        answer: Schemas["Login"];
    };
    signUp: {
        body: Schemas["SignUpForm"];
        /** A session of the new customer. */
        answer: Schemas["Login"];
    };
    getMe: {
        /** The customer. */
        answer: Schemas["Customer"];
    };
    listCheckouts: {
        query?: {
            /**
             * Only purchases with this status.
             * @enum {string}
             */
            status?: "open" | "overdue" | "paid";
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of purchases. */
        answer: Schemas["CheckoutPage"];
    };
    getCheckout: {
        path: {
            /** The hash of the purchase. */
            hash: string;
        };
        /** The purchase. */
        answer: Schemas["Checkout"];
    };
    createPix: {
        path: {
            /** The id of the installment. */
            id: string;
        };
        body: Schemas["ChargeRequest"];
        /**
         * 200: The pending charge that exists already.
         *     201: The charge, with the code to pay it.
         */
        answer: Schemas["PixCharge"];
    };
    listPix: {
        path: {
            /** The id of the installment. */
            id: string;
        };
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of charges. */
        answer: Schemas["PixChargePage"];
    };
    getCashbackBalance: {
        /** The balance. */
        answer: Schemas["CashbackBalance"];
    };
    listCashbackEntries: {
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
            /** Includes only this many entries, counted from the oldest. The URLs in `Link` contain it. */
            up_to?: number;
        };
        /** A page of the statement. */
        answer: Schemas["CashbackLedger"];
    };
    getReferral: {
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
            /** Includes only this many invitations, counted from the oldest. The URLs in `Link` contain it. */
            up_to?: number;
        };
        /** The referral program. */
        answer: Schemas["Referral"];
    };
    getCalendar: {
        /** The unpaid installments. */
        answer: Schemas["WalletCalendar"];
    };
    makeCalendarFeed: {
        /** The URL. It is not returned again. */
        answer: Schemas["CalendarFeed"];
    };
    endCalendarFeed: {
        /** The secret URL is deleted. */
        answer: undefined;
    };
    getAutopay: {
        path: {
            /** The hash of the purchase. */
            hash: string;
        };
        /** The authorisation. */
        answer: Schemas["Autopay"];
    };
    askAutopay: {
        path: {
            /** The hash of the purchase. */
            hash: string;
        };
        body?: Schemas["AutopayRequest"];
        /**
         * 200: The pending authorisation that exists already.
         *     201: The authorisation, with the code for the bank.
         */
        answer: Schemas["Autopay"];
    };
    endAutopay: {
        path: {
            /** The hash of the purchase. */
            hash: string;
        };
        /** The authorisation has ended. */
        answer: undefined;
    };
    getContract: {
        path: {
            /** The hash of the purchase. */
            hash: string;
        };
        /** The contract. */
        answer: Schemas["Contract"];
    };
    getCredit: {
        /** The credit. */
        answer: Schemas["WalletCredit"];
    };
    acceptCreditLimit: {
        /** The credit, with the new limit. */
        answer: Schemas["WalletCredit"];
    };
    askCreditReview: {
        /**
         * 200: A review is already pending.
         *     201: The review is requested.
         */
        answer: Schemas["CreditReviewAsked"];
    };
    changeOwnEmail: {
        body: Schemas["NewEmail"];
        /** The customer. */
        answer: Schemas["Customer"];
    };
    checkErasure: {
        /** The open debts that prevent it. */
        answer: Schemas["ErasureCheck"];
    };
    eraseOwnAccount: {
        body: Schemas["CodeProof"];
        /** The account is erased. */
        answer: undefined;
    };
    streamEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and a JSON object in `data`, which the schema describes. */
        answer: undefined;
        stream: Schemas["WalletEvent"] | Schemas["StreamReset"];
    };
    exportOwnData: {
        /** The data, by table. */
        answer: Schemas["CustomerExport"];
    };
    getHome: {
        /** The overview. */
        answer: Schemas["WalletHome"];
    };
    payWithCashback: {
        path: {
            /** The id of the installment. */
            id: string;
        };
        body?: Schemas["RedemptionRequest"];
        /** The spent cashback, the new balance and the installment. */
        answer: Schemas["Redemption"];
    };
    listWalletMessages: {
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of messages. */
        answer: Schemas["WalletMessages"];
    };
    listWalletOffers: {
        query?: {
            /**
             * Only offers with this status.
             * @enum {string}
             */
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of offers. */
        answer: Schemas["WalletOfferPage"];
    };
    getWalletOffer: {
        path: {
            /** The id of the offer. */
            id: string;
        };
        query?: {
            /** Number of installments, if fewer than offered. */
            installments?: number;
        };
        /** The offer. */
        answer: Schemas["WalletOffer"];
    };
    acceptOffer: {
        path: {
            /** The id of the offer. */
            id: string;
        };
        body?: Schemas["InstallmentsChoice"];
        /** The purchase. */
        answer: Schemas["Checkout"];
    };
    getContractDraft: {
        path: {
            /** The id of the offer. */
            id: string;
        };
        query?: {
            /** Number of installments, if fewer than offered. */
            installments?: number;
        };
        /** The draft. */
        answer: Schemas["ContractDraft"];
    };
    declineOffer: {
        path: {
            /** The id of the offer. */
            id: string;
        };
        /** The offer is declined. */
        answer: undefined;
    };
    claimOffer: {
        body: Schemas["OfferClaim"];
        /** The offer. */
        answer: Schemas["WalletOffer"];
    };
    changeOwnPhone: {
        body: Schemas["NewPhone"];
        /** A new session. */
        answer: Schemas["Login"];
    };
    getPhoneChange: {
        /** The pending phone change, if any. */
        answer: Schemas["OwnPhoneChange"];
    };
    cancelOwnPhoneChange: {
        /** The phone change is cancelled. */
        answer: undefined;
    };
    getPix: {
        path: {
            /** The id of the charge. */
            id: string;
        };
        /** The charge with its current status. */
        answer: Schemas["PixChargeWithRefunds"];
    };
    getReceipt: {
        path: {
            /** The id of the charge. */
            id: string;
        };
        /** The receipt. */
        answer: undefined;
    };
    getPreferences: {
        /** The preferences. */
        answer: Schemas["Preferences"];
    };
    setPreferences: {
        /** Omitted fields stay unchanged. */
        body: {
            /** Channels in the order in which they are tried until one accepts the message. Legal notices use the other channels too. */
            channels?: ("whatsapp" | "sms" | "email" | "push")[];
            /** Whether to send reminders before the due day. Reminders on and after the due day are always sent. */
            reminders_before_due?: boolean;
            /** Whether to send marketing messages. */
            news?: boolean;
        };
        /** The updated preferences. */
        answer: Schemas["Preferences"];
    };
    getPush: {
        /** The key to subscribe with, and the number of subscribed browsers. */
        answer: {
            /** For `applicationServerKey` of PushManager; null if Web Push is not available. */
            public_key: string | null;
            browsers: number;
        };
    };
    addPush: {
        body: {
            endpoint: string;
            expirationTime?: number | null;
            keys: {
                /** Public key of the browser. */
                p256dh: string;
                /** Authentication secret of the browser. */
                auth: string;
            };
        };
        /** The browser is subscribed. */
        answer: undefined;
    };
    endPush: {
        /** The customer has no subscriptions. */
        answer: undefined;
    };
    listSessions: {
        /** The sessions. */
        answer: Schemas["WalletSessionList"];
    };
    endSession: {
        path: {
            /** Id of the session. */
            id: string;
        };
        /** The session has ended. */
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
    listSales: {
        query?: {
            /**
             * Only sales with this status.
             * @enum {string}
             */
            status?: "open" | "overdue" | "paid";
            /**
             * Format: date
             * Only sales made on this day.
             */
            on?: string;
            /**
             * Format: date
             * Only sales made on this day or later.
             */
            from?: string;
            /**
             * Format: date
             * Only sales made on this day or before.
             */
            to?: string;
            /** Only the sale with this hash. */
            hash?: string;
            /**
             * Format: text
             * Only the sale from the open offer with this code.
             */
            code?: string;
            /** Only sales with exactly this amount. */
            amount?: number;
            /**
             * Format: text
             * Only sales to customers whose name, as masked for you, contains this text. Searches the newest 2000 sales of the period.
             */
            q?: string;
            /** Only sales from offers of this member. */
            by?: string;
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of sales. */
        answer: Schemas["SalePage"];
    };
    getSale: {
        path: {
            /** The hash of the purchase. */
            hash: string;
        };
        /** The sale. */
        answer: Schemas["Sale"];
    };
    returnSale: {
        path: {
            /** The hash of the purchase. */
            hash: string;
        };
        query?: {
            /**
             * Return the result without writing anything.
             * @enum {string}
             */
            dry_run?: "true" | "false";
        };
        body: Schemas["ReturnOrder"];
        /**
         * 200: The result of a dry run.
         *     201: The return.
         *     202: The return waits for the operator’s approval.
         */
        answer: Schemas["ReturnPreview"] | Schemas["MerchantReturn"] | Schemas["WaitingAnswer"];
    };
    listOffers: {
        query?: {
            /**
             * Only offers with this status.
             * @enum {string}
             */
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: text
             * Only offers with this reference of yours.
             */
            reference?: string;
            /**
             * Format: text
             * Only the open offer with this code.
             */
            code?: string;
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of offers. */
        answer: Schemas["MerchantOfferPage"];
    };
    createOffer: {
        body: Schemas["OfferOrder"];
        /**
         * 200: The pending or accepted offer with this reference.
         *     201: The offer.
         */
        answer: Schemas["MerchantOffer"];
    };
    getOffer: {
        path: {
            /** The id of the offer. */
            id: string;
        };
        /** The offer. */
        answer: Schemas["MerchantOffer"];
    };
    cancelOffer: {
        path: {
            /** The id of the offer. */
            id: string;
        };
        /** The cancelled offer. */
        answer: Schemas["MerchantOffer"];
    };
    getOwnPayoutAccount: {
        /** The account. Its fields are null if none is set. */
        answer: Schemas["OwnPayoutAccount"];
    };
    changeOwnPayoutAccount: {
        body: Schemas["OwnPayoutAccountForm"];
        /** The payout account and its pending change. */
        answer: Schemas["OwnPayoutAccount"];
    };
    listOwnPayouts: {
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
            /** @enum {string} */
            status?: "pending" | "paid" | "failed";
        };
        /** A page of payouts. */
        answer: Schemas["PayoutPage"];
    };
    getOwnPayout: {
        path: {
            /** The id of the payout. */
            id: string;
        };
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** The payout. */
        answer: Schemas["PayoutWithLines"];
    };
    quoteSale: {
        body: Schemas["QuoteOrder"];
        /** The quote, or all quotes. */
        answer: Schemas["Quote"] | Schemas["QuoteList"];
    };
    listWaitingReturns: {
        query?: {
            /** @enum {string} */
            status?: "waiting" | "made" | "refused";
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
            limit?: number;
        };
        /** A page of returns. */
        answer: Schemas["WaitingReturnPage"];
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
             * The last day; defaults to today, in São Paulo.
             */
            to?: string;
        };
        /** The days. */
        answer: Schemas["SalesByDay"];
    };
    getMerchantStatement: {
        query?: {
            /** The page number, starting at 1. */
            page?: number;
            /** The number of items per page, at most 100. */
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
            /**
             * Responds with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for spreadsheets with Brazilian settings; the default if `Accept-Language` prefers Portuguese. `plain`: RFC 4180.
             * @enum {string}
             */
            csv?: "plain" | "br";
        };
        /** A page of the statement. */
        answer: Schemas["AccountStatement"];
    };
    getMerchantSummary: {
        query?: {
            /**
             * Format: date
             * The day; defaults to today, in São Paulo.
             */
            on?: string;
        };
        /** The summary. */
        answer: Schemas["MerchantSummary"];
    };
    logOutMember: {
        body: Schemas["RefreshForm"];
        /** The session has ended. */
        answer: undefined;
    };
    sendMemberCode: {
        body: Schemas["PhoneForm"];
        /** The code is being sent. */
        answer: Schemas["CodeOnItsWay"];
    };
    logInMember: {
        body: Schemas["MemberCodeLogin"];
        /** A new session. */
        answer: Schemas["MemberLogin"];
    };
    refreshMember: {
        body: Schemas["RefreshForm"];
        /** The new tokens. */
        answer: Schemas["MemberLogin"];
    };
    switchMerchant: {
        body: Schemas["SwitchForm"];
        /** A session for the other merchant. */
        answer: Schemas["MemberLogin"];
    };
    getMerchantMe: {
        /** The member and the merchant. */
        answer: Schemas["MerchantMe"];
    };
    listMembers: {
        /** The members, oldest first. */
        answer: { data: Schemas["Member"][]; };
    };
    addMember: {
        body: Schemas["MemberForm"];
        /** The member. */
        answer: Schemas["Member"];
    };
    changeMember: {
        path: {
            /** The member. */
            id: string;
        };
        body: Schemas["MemberChange"];
        /** The member. */
        answer: Schemas["Member"];
    };
    removeMember: {
        path: {
            /** The member. */
            id: string;
        };
        /** The member is removed. */
        answer: undefined;
    };
    listMemberSessions: {
        path: {
            /** The member. */
            id: string;
        };
        /** The sessions. */
        answer: Schemas["MemberSessionList"];
    };
    endMemberSession: {
        path: {
            /** The member. */
            id: string;
            /** The session. */
            session: string;
        };
        /** The session has ended. */
        answer: undefined;
    };
    listEvents: {
        query?: {
            /** The `after` of the previous response, or the `id` of an event. Without it the feed starts with the oldest retained event. */
            after?: string;
            /** Number of events, at most 100. */
            limit?: number;
            /** Event types, separated by commas; all if omitted. */
            types?: string;
        };
        /** The events. */
        answer: Schemas["EventFeed"];
    };
    streamPartnerEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and a JSON object in `data`, which the schema describes. */
        answer: undefined;
        stream: Schemas["PartnerEvent"] | Schemas["StreamReset"];
    };
    streamMerchantEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and a JSON object in `data`, which the schema describes. */
        answer: undefined;
        stream: Schemas["MerchantEvent"] | Schemas["StreamReset"];
    };
    listWebhooks: {
        query?: Schemas["ListQuery"] & {
            /** @enum {string} */
            status?: "enabled" | "disabled";
        };
        /** A page of endpoints. */
        answer: { data: Schemas["WebhookEndpoint"][]; pagination: Schemas["ListPagination"]; };
    };
    createWebhook: {
        body: Schemas["OwnWebhookOrder"];
        /** The endpoint, with its secret. */
        answer: Schemas["WebhookEndpointWithSecret"];
    };
    getWebhook: {
        path: {
            /** Id of the endpoint. */
            id: string;
        };
        /** The endpoint, without its secret. */
        answer: Schemas["WebhookEndpoint"];
    };
    updateWebhook: {
        path: {
            /** Id of the endpoint. */
            id: string;
        };
        body: Schemas["WebhookPatch"];
        /** The endpoint. */
        answer: Schemas["WebhookEndpoint"];
    };
    deleteWebhook: {
        path: {
            /** Id of the endpoint. */
            id: string;
        };
        /** The endpoint is deleted. */
        answer: undefined;
    };
    listWebhookDeliveries: {
        path: {
            /** Id of the endpoint. */
            id: string;
        };
        query?: Schemas["ListQuery"] & {
            /** @enum {string} */
            status?: "pending" | "delivered" | "failed";
        };
        /** A page of deliveries. */
        answer: { data: Schemas["WebhookDelivery"][]; pagination: Schemas["ListPagination"]; };
    };
    getWebhookDelivery: {
        path: {
            /** Id of the endpoint. */
            id: string;
            /** Id of the delivery: that of its event. */
            delivery: string;
        };
        /** The delivery. */
        answer: Schemas["WebhookDeliveryDetails"];
    };
    resendWebhookDelivery: {
        path: {
            /** Id of the endpoint. */
            id: string;
            /** Id of the delivery: that of its event. */
            delivery: string;
        };
        /** The delivery is queued. */
        answer: Schemas["WebhookDelivery"];
    };
    replayWebhook: {
        path: {
            /** Id of the endpoint. */
            id: string;
        };
        body: {
            /** One event, regardless of the filter of the endpoint. */
            event: string;
        } | {
            /**
             * Format: date-time
             * All matching events that occurred then or later.
             */
            since: string;
        };
        /** The events are queued. */
        answer: {
            /** Number of queued deliveries. */
            replayed: number;
        };
    };
    rotateWebhookSecret: {
        path: {
            /** Id of the endpoint. */
            id: string;
        };
        body?: {
            /** How many hours the old secret signs too; 24 if omitted. */
            overlap_hours?: number;
        };
        /** The endpoint, with its new secret. */
        answer: Schemas["WebhookEndpointWithSecret"];
    };
    testWebhook: {
        path: {
            /** Id of the endpoint. */
            id: string;
        };
        /** The delivery with its attempt. */
        answer: Schemas["WebhookDelivery"];
    };
    listMessages: {
        query?: Schemas["ListQuery"] & {
            /** Only messages to this phone. Encode the + as %2B. */
            phone?: string;
            /**
             * Format: text
             * Only e-mails to this address.
             */
            email?: string;
        };
        /** The messages. */
        answer: { data: Schemas["SandboxMessage"][]; pagination: Schemas["ListPagination"]; };
    };
    payCharge: {
        path: {
            /** The txid of the charge. */
            txid: string;
        };
        body?: {
            /** The amount to pay, in reais. Default: the amount of the charge. */
            value?: number;
            /**
             * Format: date-time
             * The time of the payment. Default: now. It must not be in the future, nor before the charge was created.
             */
            at?: string;
            /** Simulates a careless bank: also pays a charge that is expired, removed or already paid, and at a time before the charge was created, as if the clock of the payer's bank were wrong. */
            force?: boolean;
        };
        /** The payment arrived at the PSP. */
        answer: Schemas["SandboxPayment"];
    };
}
