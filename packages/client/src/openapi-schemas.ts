// Made by 'npm run generate' from openapi.json.
export interface Schemas {
    ListQuery: {
        /** The page number, starting at 1. */
        page?: number;
        /** The number of items per page, at most 100. */
        limit?: number;
        /** Returns the rows after this cursor: `pagination.next` of the previous page. */
        after?: string;
        /** Returns the rows before this cursor: `pagination.prev` of the next page. */
        before?: string;
        /**
         * Which rows come first. The default is `newest`.
         * @enum {string}
         */
        sort?: "newest" | "oldest";
        /**
         * Responds with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for spreadsheets with Brazilian settings; the default if `Accept-Language` prefers Portuguese. `plain`: RFC 4180.
         * @enum {string}
         */
        csv?: "plain" | "br";
    };
    AccountLine: Schemas["PayoutLine"] & {
        /** The payout that settled the line; null if it is not settled yet. */
        settled_by: string | null;
        /** Balance of the merchant after the line, due or not, in reais. */
        balance_after: number;
    };
    AccountStatement: { data: Schemas["AccountLine"][]; pagination: Schemas["Pagination"]; };
    /** The agreed terms of the purchase, which never change. */
    AgreedTerms: Schemas["Terms"] & {
        /** SHA-256 of the contract in hex: of its canonical JSON, or of the PDF if it was created by an earlier release. Null if there is none yet. */
        contract_sha256: string | null;
    };
    Agreement: {
        /**
         * `terms`: the terms of use. `privacy`: the privacy notice.
         * @enum {string}
         */
        kind: "terms" | "privacy";
        version: string;
        sections: {
            title: string;
            /** Plain text; a blank line starts a new paragraph. */
            text: string;
        }[];
    };
    Amounts: {
        /** Purchase amount, in reais. */
        financed: number;
        /** Paid amount of the installments, without penalties and fees, in reais. */
        paid: number;
        /** Reduction of the installments by returns, in reais. */
        returned: number;
        /** Outstanding amount of the installments, in reais. */
        outstanding: number;
        /** Unpaid fines and interest as of now, in reais. */
        penalties: number;
        /** Outstanding and penalties, in reais. */
        total_due: number;
    };
    Autopay: {
        id: string;
        /**
         * `pending`: waiting for the payer. `active`: installments are debited. `rejected`: by the payer. `expired`: the payer did not respond in time. `ended`: no longer active.
         * @enum {string}
         */
        status: "pending" | "active" | "rejected" | "expired" | "ended";
        /** The code to copy and paste into a bank app, which then asks for the authorisation. */
        br_code: string;
        /** The same code as a QR code: a PNG in a data URI. */
        qr_code: string;
        /**
         * Format: date-time
         * The code can be used until then.
         */
        expires_at: string;
        /** Whether the code also pays the first open installment. */
        first: boolean;
        /**
         * Who ended it: `customer` in this service, `payer` in the bank app, `bank`, or `service`, for example because everything is paid.
         * @enum {string|null}
         */
        ended_by: "customer" | "payer" | "bank" | "service" | null;
        /** Why it ended: a code of the Pix network, or one of `nothing_owed`, `replaced`, `over`, `asked`, `erased`. */
        reason: string | null;
        /** Format: date-time */
        created_at: string;
    };
    AutopayActivatedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "autopay.activated";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A customer has authorised automatic debits for the installments of a purchase. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The authorisation. */
            autopay_id: string;
            /**
             * Format: date-time
             * When the authorisation became active.
             */
            activated_at: string;
        };
    };
    AutopayEndedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "autopay.ended";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** The authorisation for automatic debits of a purchase has ended, was rejected, or was not given in time. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The authorisation. */
            autopay_id: string;
            /** @enum {string} */
            status: "ended" | "rejected" | "expired";
            /**
             * Who ended the authorisation: the customer in our wallet, the payer in the bank app, a bank, or this service, for example when everything is paid.
             * @enum {string|null}
             */
            by: "customer" | "payer" | "bank" | "service" | null;
            /** The reason: a code of the Pix network, or one of our own. */
            reason: string | null;
            /**
             * Format: date-time
             * When the authorisation ended.
             */
            ended_at: string;
        };
    };
    AutopayFailedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "autopay.failed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** The bank did not debit an installment on its due date. Published once if there will be another attempt, and once when there is none. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The authorisation. */
            autopay_id: string;
            /** The installment. */
            installment_id: string;
            /** The amount to be debited. */
            value: number;
            /** The number of days on which the bank has attempted the debit. */
            tries: number;
            /** The reason given by the bank, as text in Portuguese. */
            reason: string;
            /**
             * Format: date
             * The date of the next attempt; null: the installment must be paid with a Pix code.
             */
            retry_on: string | null;
        };
    };
    AutopayRequest: {
        /**
         * Whether the code also pays the first open installment. The payment authorises the debits.
         * @default false
         */
        first: boolean;
    };
    CalendarFeed: {
        /** The secret URL, returned only once. It gives access to merchants, numbers and amounts of installments. */
        url: string;
        /** Format: date-time */
        created_at: string;
    };
    CashbackBalance: {
        /** Available cashback. Negative if cashback that had been spent was reversed; newly earned cashback reduces the debt first, in reais. */
        available: number;
        /** Cashback that the open installments will earn if they are all paid on time, in reais. */
        pending: number;
        /** The available cashback by expiry day, the next to expire first. */
        expiring: {
            /** Expiring amount, in reais. */
            amount: number;
            /**
             * Format: date
             * The last day of validity, in São Paulo.
             */
            expires_on: string;
        }[];
        /** All cashback earned by paying on time and by invitations, minus reversals, in reais. */
        lifetime_earned: number;
    };
    CashbackChangedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "cashback.changed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** The cashback balance of a customer has changed. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The id of the statement entry. */
            id: string;
            /** @enum {string} */
            kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            /** The change of the balance; negative if it decreased. */
            amount: number;
            /** The new balance. */
            balance: number;
            /** The purchase, if the change concerns one. */
            checkout_hash: string | null;
            /** The installment, if the change concerns one. */
            installment_id: string | null;
            /**
             * Format: date
             * The last day on which the cashback can be used.
             */
            expires_on: string | null;
        };
    };
    CashbackEntry: {
        id: string;
        /**
         * `earned`: by paying an installment on time. `referral`: for an invitation. `redeemed`: spent on an installment (positive if the amount was credited again). `expired`: no longer valid. `reversed`: taken back because a payment was reversed. `adjusted`: by the operator.
         * @enum {string}
         */
        kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
        /** Positive for a credit, negative for a debit, in reais. */
        amount: number;
        /** Balance after the entry, in reais. */
        balance_after: number;
        /** Text for the customer, in Portuguese. */
        description: string;
        /** The purchase of the entry, if any. */
        checkout_hash: string | null;
        /** The installment that earned the cashback or was paid with it. */
        installment_id: string | null;
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The last day of validity of a credit, in São Paulo.
         */
        expires_on: string | null;
    };
    CashbackLedger: { data: Schemas["CashbackEntry"][]; pagination: Schemas["Pagination"]; };
    Category: {
        slug: string;
        name: string;
        /** Number of listed merchants in the category. */
        merchants: number;
    };
    CategoryList: { data: Schemas["Category"][]; };
    ChargeRequest: Schemas["WholeChargeRequest"] | Schemas["PartialChargeRequest"];
    Checkout: Schemas["CheckoutItem"] & {
        /** The returns of the purchase, oldest first. */
        returns: {
            /** Amount of the return, in reais. */
            amount: number;
            /** The reason, written for the customer. */
            reason: string;
            /** Format: date-time */
            returned_at: string;
        }[];
        /** The autopay of the purchase; null if it was never requested. */
        autopay: {
            /**
             * Status of the autopay authorisation: see /wallet/checkouts/{hash}/autopay.
             * @enum {string}
             */
            status: "pending" | "active" | "rejected" | "expired" | "ended";
        } | null;
        terms: Schemas["AgreedTerms"];
        installments: Schemas["Installment"][];
    };
    CheckoutCreatedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "checkout.created";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A customer made a purchase. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /**
             * Format: date-time
             * When the purchase was made.
             */
            purchased_at: string;
            /** The financed amount. */
            financed: number;
            /** The total of all installments. */
            total: number;
            /** The number of installments. */
            installments: number;
            /**
             * Format: date
             * When the first installment is due.
             */
            first_due_on: string;
        };
    };
    CheckoutItem: {
        /** Identifies the purchase in URLs. */
        hash: string;
        /**
         * `overdue` from the day after the effective due day until the amount and all penalties are paid.
         * @enum {string}
         */
        status: "open" | "overdue" | "paid";
        merchant: { slug: string; name: string; logo_url: string | null; };
        description: string | null;
        /** Format: date-time */
        purchased_at: string;
        amounts: Schemas["Amounts"];
        installments_total: number;
        installments_paid: number;
        /**
         * Format: date
         * The due day of the next unpaid installment.
         */
        next_due_on: string | null;
        /**
         * Format: date-time
         * When the purchase was returned in full.
         */
        returned_at: string | null;
    };
    CheckoutOverdueEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "checkout.overdue";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A purchase has become overdue at the start of a day. Published when its first installment becomes overdue, and again only if the purchase was not overdue in between. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
        };
    };
    CheckoutPage: { data: Schemas["CheckoutItem"][]; pagination: Schemas["Pagination"]; };
    CheckoutPaidEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "checkout.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** All installments of a purchase are paid. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
        };
    };
    CheckoutReturnedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "checkout.returned";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A purchase was returned, partially or completely. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The amount of this return. */
            amount: number;
            /** The total amount of all returns. */
            returned: number;
            /** The part of this return that is refunded to the customer. */
            refunded: number;
            /** Whether the purchase has been returned completely. */
            whole: boolean;
            /** The reason, written for the customer. */
            reason: string;
            /**
             * Format: date-time
             * When the return was made.
             */
            returned_at: string;
        };
    };
    CodeLogin: {
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
    };
    CodeOnItsWay: {
        /** Send it together with the code. */
        challenge_id: string;
        /**
         * Format: date-time
         * Time when the code expires.
         */
        expires_at: string;
        /**
         * Format: date-time
         * Time when another code can be requested.
         */
        resend_after: string;
    };
    CodeProof: {
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
    };
    /** The contract of a purchase. The response is canonical JSON: UTF-8, sorted keys, no whitespace. */
    Contract: {
        /** The hash of the purchase. */
        checkout_hash: string;
        /** The accepted offer; null if the operator recorded the purchase. */
        offer_id: string | null;
        /**
         * Format: date-time
         * When the customer accepted the offer, or of the recorded purchase, in Brasília time.
         */
        accepted_at: string;
        creditor: Schemas["Creditor"];
        customer: { name: string; cpf: string; };
        merchant: { slug: string; name: string; };
        description: string | null;
        items: {
            name: string;
            quantity: number;
            /** Amount of the item, in reais. */
            amount: number;
        }[];
        terms: Schemas["Terms"];
        cost: {
            /** Total to pay, in reais. */
            total: number;
            /** The parts of the total, on which the CET is computed. */
            components: {
                /** @enum {string} */
                kind: "financed" | "interest" | "taxes" | "fees";
                /** Amount of the component, in reais. */
                amount: number;
                /** Share of the total, in percent. */
                percent: number;
            }[];
        };
        installments: {
            number: number;
            /**
             * Format: date
             * The due day, in São Paulo.
             */
            due_on: string;
            /** Amount of the installment, in reais. */
            amount: number;
        }[];
        /** The clauses, in Portuguese. */
        clauses: { heading: string; text: string; }[];
    };
    /** The contract that would result if the offer were accepted now. It is not binding. */
    ContractDraft: {
        checkout_hash: null;
        /** The accepted offer; null if the operator recorded the purchase. */
        offer_id: string | null;
        accepted_at: null;
        creditor: Schemas["Creditor"];
        customer: { name: string; cpf: string; };
        merchant: { slug: string; name: string; };
        description: string | null;
        items: {
            name: string;
            quantity: number;
            /** Amount of the item, in reais. */
            amount: number;
        }[];
        terms: Schemas["Terms"];
        cost: {
            /** Total to pay, in reais. */
            total: number;
            /** The parts of the total, on which the CET is computed. */
            components: {
                /** @enum {string} */
                kind: "financed" | "interest" | "taxes" | "fees";
                /** Amount of the component, in reais. */
                amount: number;
                /** Share of the total, in percent. */
                percent: number;
            }[];
        };
        installments: {
            number: number;
            /**
             * Format: date
             * The due day, in São Paulo.
             */
            due_on: string;
            /** Amount of the installment, in reais. */
            amount: number;
        }[];
        /** The clauses, in Portuguese. */
        clauses: { heading: string; text: string; }[];
    };
    CreditDecidedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "credit.decided";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A staff user has decided. An approved offer can now be accepted. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The decision. */
            decision_id: string;
            /** @enum {string} */
            outcome: "approved" | "declined";
            /** The offer, if the decision concerns one. */
            offer_id: string | null;
            /** Slug of the merchant of that offer. */
            merchant: string | null;
        };
    };
    CreditLimitChangedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "credit.limit_changed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** The credit policy or a staff user has changed a customer’s credit limit, or a higher limit is offered. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The current limit. */
            limit: number;
            /** The limit that applies once the customer accepts. */
            offered: number | null;
        };
    };
    CreditReviewAsked: {
        id: string;
        /** Format: date-time */
        asked_at: string;
    };
    CreditReviewEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "credit.review";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A purchase, or a credit limit that a customer asked to review, is waiting for a decision by a staff user. The offer stays pending. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The decision. */
            decision_id: string;
            /** The offer, if the decision concerns one. */
            offer_id: string | null;
            /** Slug of the merchant of that offer. */
            merchant: string | null;
        };
    };
    Creditor: { name: string; cnpj: string; address: string; email: string; };
    Customer: {
        id: string;
        name: string;
        phone: string;
        email: string;
        /** The taxpayer number, masked. */
        cpf: string;
        /** Format: date-time */
        created_at: string;
        credit: {
            /** Credit limit, in reais. */
            limit: number;
            /** Amount owed on all purchases, in reais. */
            used: number;
            /** Amount available for purchases; 0 while a purchase would be refused, in reais. */
            available: number;
            /**
             * Why a purchase would be refused now; `available` is then 0. `overdue`: an installment is overdue. `cashback_owed`: the cashback balance is negative. `review`: a person reviews the sign-up or a purchase.
             * @enum {string|null}
             */
            blocked_by: "overdue" | "cashback_owed" | "review" | null;
        };
    };
    CustomerExport: {
        customer_id: string;
        /** Format: date-time */
        exported_at: string;
        /** Rows by table. Tables without data of the customer are included, empty. */
        tables: { [key: string]: Record<string, never>[]; };
    };
    CustomerRegisteredEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "customer.registered";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A customer signed up. */
        data: {
            /** The new customer. */
            customer_id: string;
            /**
             * Format: date-time
             * When the customer signed up.
             */
            registered_at: string;
            /** The referral code that the customer used. */
            invited_with: string | null;
        };
    };
    /** The installments that are overdue or due within seven days. */
    DuePayments: {
        /** The installments of at most ten purchases, the earliest due first. */
        data: {
            /** The purchase. */
            checkout_hash: string;
            merchant: string;
            /** The autopay of the purchase; null if it was never requested. */
            autopay: {
                /**
                 * Status of the autopay authorisation: see /wallet/checkouts/{hash}/autopay.
                 * @enum {string}
                 */
                status: "pending" | "active" | "rejected" | "expired" | "ended";
            } | null;
            installment: Schemas["Installment"];
        }[];
        /** Number of further purchases with such an installment. */
        more_checkouts: number;
        /** Number of all unpaid purchases. */
        unpaid_checkouts: number;
    };
    ErasureCheck: {
        /** Open debts that prevent the erasure; empty if the account can be erased. */
        stopped_by: {
            /** Machine-readable code. */
            code: string;
            /** A sentence in Portuguese. */
            text: string;
        }[];
    };
    EventFeed: {
        /** Oldest first. */
        data: Schemas["PartnerEvent"][];
        /** Cursor for the next page: send it as `after`, now or later. */
        after: string;
        /** Whether the next page may already have events. */
        has_more: boolean;
    };
    FaqEntry: {
        id: string;
        /** Lower-case word; a value for the filter `topic`. */
        topic: string;
        question: string;
        answer: string;
    };
    FaqList: { data: Schemas["FaqEntry"][]; };
    FaqTopicList: {
        data: {
            topic: string;
            /** Number of entries. */
            entries: number;
        }[];
    };
    Installment: {
        id: string;
        number: number;
        /**
         * Format: date
         * The due day, including extensions, in São Paulo.
         */
        due_on: string;
        /**
         * Format: date
         * The due day or the next banking day after it; the installment is late after this day, in São Paulo.
         */
        effective_due_on: string;
        /**
         * `overdue` from the day after the effective due day until the amount and all penalties are paid.
         * @enum {string}
         */
        status: "open" | "overdue" | "paid";
        /** Agreed amount, in reais. */
        amount: number;
        /** Paid part of the amount, in reais. */
        paid: number;
        /** Early payment discount, in reais. */
        discount: number;
        /** Reduction of the amount by returns; by rounding the last installment may grow by some centavos, in reais. */
        returned: number;
        /** Outstanding amount, in reais. */
        outstanding: number;
        penalty: {
            /** Unpaid fine, in reais. */
            fine: number;
            /** Unpaid interest, in reais. */
            interest: number;
            /** Sum of both, in reais. */
            total: number;
            /** Days since the effective due day. */
            days_late: number;
        };
        /** Charges paid in addition to the amount, minus refunds. */
        charges_paid: {
            /** Fine, in reais. */
            fine: number;
            /** Interest, in reais. */
            interest: number;
            /** Extension fees, in reais. */
            extension_fee: number;
        };
        /** Penalties that were waived because a retried autopay debit settled the installment. */
        charges_waived: {
            /** Fine, in reais. */
            fine: number;
            /** Interest, in reais. */
            interest: number;
        };
        /** Outstanding and penalty, in reais. */
        total_due: number;
        /** Format: date-time */
        paid_at: string | null;
        /** Number of extensions. */
        extensions: number;
        /** Cashback that the installment earns if it is settled by its effective due day. Returned amounts and amounts paid with cashback earn none. 0 once the installment is paid or late, in reais. */
        cashback_if_on_time: number;
        /** The PIX charges that can be created now, and their amounts. */
        pix_options: ({
            /** @enum {string} */
            type: "settle" | "settle_with_penalty";
            /** Amount to pay now, in reais. */
            value: number;
        } | {
            type: "settle_partial";
            /** Minimum amount, in reais. */
            min: number;
            /** Maximum amount, which settles the installment, in reais. */
            max: number;
        } | {
            type: "extend";
            /** Amount to pay now, in reais. */
            value: number;
            /**
             * Format: date
             * New due day if the extension is paid today, in São Paulo.
             */
            due_on: string;
        })[];
        /** The debit of the installment; null without autopay. */
        autopay: {
            /**
             * `scheduled`: the bank will debit the installment on `on`. `trying`: the bank refused, and retries on `on`. `failed`: the customer must pay with a PIX code.
             * @enum {string}
             */
            status: "scheduled" | "trying" | "paid" | "failed";
            /**
             * Format: date
             * Day of the next or the last debit, in São Paulo.
             */
            on: string;
            /** Amount of the debit, in reais. */
            value: number;
            /** Number of days on which the bank tried to debit. */
            tries: number;
            /** The last reason of the bank, as a text for the customer in Portuguese. */
            reason: string | null;
        } | null;
    };
    InstallmentExtendedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "installment.extended";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** The due date of an installment has changed: an extension was paid or reversed. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** The number of the installment within the purchase, starting at 1. */
            number: number;
            /**
             * Format: date
             * The new due date.
             */
            due_on: string;
            /** The number of extensions. */
            extensions: number;
        };
    };
    InstallmentOverdueEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "installment.overdue";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An installment was not settled by its effective due date. Published once for each due date, at the start of the next day. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** The number of the installment within the purchase, starting at 1. */
            number: number;
            /** The number of installments of the purchase. */
            installments_total: number;
            /** Name of the merchant. */
            merchant_name: string;
            /**
             * Format: date
             * The due date.
             */
            due_on: string;
            /**
             * Format: date
             * The last business day for payment on time.
             */
            effective_due_on: string;
            /** The outstanding amount, without fine and interest. */
            outstanding: number;
        };
    };
    InstallmentOverpaidEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "installment.overpaid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An installment was overpaid, and the excess cannot be refunded by Pix: it was paid with cashback, is older than 90 days, or the payment provider refuses the refund because of its age. The excess becomes cashback. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** The number of the installment within the purchase, starting at 1. */
            number: number;
            /** The number of installments of the purchase. */
            installments_total: number;
            /** Name of the merchant. */
            merchant_name: string;
            /** The amount that becomes cashback. Negative if it is no longer cashback, because the payment was reversed. */
            amount: number;
        };
    };
    InstallmentPaidEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "installment.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An installment was settled. Published again if it turns out that it was settled at another time or with less cashback, and after a return. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** The number of the installment within the purchase, starting at 1. */
            number: number;
            /** The number of installments of the purchase. */
            installments_total: number;
            /** Name of the merchant. */
            merchant_name: string;
            /** The agreed amount. */
            amount: number;
            /** The discount for early payment. */
            discount: number;
            /** The reduction of the amount by returns. */
            returned: number;
            /** The part paid with cashback, which earns no cashback. */
            paid_with_cashback: number;
            /**
             * Format: date-time
             * When the installment was settled.
             */
            paid_at: string;
            /** Whether it was settled on or before the effective due date. */
            on_time: boolean;
            /** The cashback rate of the purchase for on-time payments. */
            cashback_percent: number;
        };
    };
    InstallmentPaymentChangedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "installment.payment_changed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An installment was partially paid, or a payment of it was reversed or refunded. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** The number of the installment within the purchase, starting at 1. */
            number: number;
            /** The paid amount, without fine, interest and fees. */
            paid: number;
            /** The outstanding amount. */
            outstanding: number;
        };
    };
    InstallmentReopenedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "installment.reopened";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** The payment that had settled an installment was reversed: the amount is owed again. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** The number of the installment within the purchase, starting at 1. */
            number: number;
            /** The number of installments of the purchase. */
            installments_total: number;
            /** Name of the merchant. */
            merchant_name: string;
            /** The amount that is owed again. */
            outstanding: number;
            /**
             * Format: date
             * The due date.
             */
            due_on: string;
        };
    };
    InstallmentsChoice: {
        /** Number of installments, if fewer than offered. */
        installments?: number;
    };
    Jwks: { keys: { kty: string; crv: string; x: string; kid: string; alg: string; use: string; }[]; };
    Lead: {
        id: string;
        kind: string;
        /** Format: date-time */
        received_at: string;
    };
    LeadForm: {
        /** Kind of form: a lower-case word of your choice, e.g. `partner`. */
        kind: string;
        /** Format: text */
        name: string;
        /** Format: email */
        email: string;
        /**
         * Format: phone
         * International format (E.164), e.g. +5511987654321, or the usual Brazilian notation.
         */
        phone?: string;
        /** Format: text */
        company?: string;
        /** Format: text */
        message?: string;
    } | {
        /** Kind of form: a lower-case word of your choice, e.g. `partner`. */
        kind: string;
        /** Format: text */
        name: string;
        /** Format: email */
        email?: string;
        /**
         * Format: phone
         * International format (E.164), e.g. +5511987654321, or the usual Brazilian notation.
         */
        phone: string;
        /** Format: text */
        company?: string;
        /** Format: text */
        message?: string;
    };
    LeadReceivedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "lead.received";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A contact form was submitted. */
        data: {
            /** The lead. */
            id: string;
            /** The kind of form. */
            kind: string;
            /**
             * Format: date-time
             * When the form was received.
             */
            received_at: string;
        };
    };
    ListPagination: Schemas["Pagination"] & {
        /** True if there are more than 10,000 rows. `total` and `totals` are then some minutes old; before they are first counted, `total` is an estimate and there are no `totals`. */
        estimated?: boolean;
        /** Send this as `after` to get the next page. */
        next?: string;
        /** Send this as `before` to get the previous page. */
        prev?: string;
    };
    Login: {
        /** JWT for the header x-token, valid for 15 minutes. */
        token: string;
        /** Format: date-time */
        expires_at: string;
        /** Seconds until the token expires, for devices whose clock may be wrong. */
        expires_in: number;
        /** Can be exchanged once for new tokens. */
        refresh_token: string;
        /** Format: date-time */
        refresh_expires_at: string;
        customer: Schemas["Customer"];
    };
    Member: {
        /** The member. */
        id: string;
        name: string;
        phone: string;
        /**
         * `clerk`: gets quotes, creates offers, sees the sales of the day and sales they look up; `owner`: may do everything for the merchant.
         * @enum {string}
         */
        role: "clerk" | "owner";
        /** Maximum amount of a clerk’s offers, in reais; null: no limit. Does not apply to owners. */
        max_amount: number | null;
        /** Whether a clerk may accept returns. An owner always may. */
        may_return: boolean;
        /** @enum {string} */
        status: "active" | "removed";
        /** Format: date-time */
        created_at: string;
    };
    MemberChange: {
        /** Format: text */
        name?: string;
        /**
         * `clerk`: gets quotes, creates offers, sees the sales of the day and sales they look up; `owner`: may do everything for the merchant.
         * @enum {string}
         */
        role?: "clerk" | "owner";
        /** Maximum amount of a clerk’s offers, in reais; null: no limit. Does not apply to owners. */
        max_amount?: number | null;
        /** Whether a clerk may accept returns. An owner always may. */
        may_return?: boolean;
    };
    MemberCodeLogin: {
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
        /** The merchant, if the person is a member of several; default: the oldest membership. */
        merchant?: string;
    };
    MemberForm: {
        /** Format: text */
        name: string;
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
        /**
         * `clerk`: gets quotes, creates offers, sees the sales of the day and sales they look up; `owner`: may do everything for the merchant.
         * @enum {string}
         */
        role: "clerk" | "owner";
        /** Maximum amount of a clerk’s offers, in reais; null: no limit. Does not apply to owners. */
        max_amount?: number | null;
        /** Whether a clerk may accept returns. An owner always may. */
        may_return?: boolean;
    };
    MemberLogin: {
        /** JWT for the header x-token, valid for 15 minutes. */
        token: string;
        /** Format: date-time */
        expires_at: string;
        /** Seconds until the token expires, for devices whose clock may be wrong. */
        expires_in: number;
        /** Can be exchanged once for new tokens. */
        refresh_token: string;
        /** Format: date-time */
        refresh_expires_at: string;
        member: Schemas["Member"];
        /** The merchant of the session. */
        merchant: { slug: string; name: string; };
        /** All merchants of which the person is a member. */
        merchants: {
            slug: string;
            name: string;
            /**
             * `clerk`: gets quotes, creates offers, sees the sales of the day and sales they look up; `owner`: may do everything for the merchant.
             * @enum {string}
             */
            role: "clerk" | "owner";
        }[];
    };
    MemberSession: {
        /** Id of the session. */
        id: string;
        /** Whether it is the session of this request. */
        is_current: boolean;
        /**
         * Format: date-time
         * Time of the login.
         */
        created_at: string;
        /**
         * Format: date-time
         * Time of the last token refresh.
         */
        refreshed_at: string;
    };
    MemberSessionList: { data: Schemas["MemberSession"][]; };
    Merchant: {
        /** Identifies the merchant in URLs. */
        slug: string;
        name: string;
        category: { slug: string; name: string; };
        description: string | null;
        /** URL of a square image. */
        logo_url: string | null;
        city: string | null;
        /** Two letters, e.g. SP. */
        state: string | null;
        website: string | null;
        /** Share of each installment paid on time that the customer gets back. */
        cashback_percent: number;
    };
    /** An event about the merchant. `type` determines the schema of `data`. */
    MerchantEvent: Schemas["CheckoutCreatedEvent"] | Schemas["CheckoutPaidEvent"] | Schemas["CheckoutOverdueEvent"] | Schemas["CheckoutReturnedEvent"] | Schemas["InstallmentPaidEvent"] | Schemas["InstallmentOverdueEvent"] | Schemas["InstallmentExtendedEvent"] | Schemas["InstallmentOverpaidEvent"] | Schemas["InstallmentPaymentChangedEvent"] | Schemas["InstallmentReopenedEvent"] | Schemas["PixCreatedEvent"] | Schemas["PixPaidEvent"] | Schemas["PixExpiredEvent"] | Schemas["PixRefundedEvent"] | Schemas["PixMovedEvent"] | Schemas["AutopayActivatedEvent"] | Schemas["AutopayEndedEvent"] | Schemas["AutopayFailedEvent"] | Schemas["OfferCreatedEvent"] | Schemas["OfferClaimedEvent"] | Schemas["OfferAcceptedEvent"] | Schemas["OfferDeclinedEvent"] | Schemas["OfferExpiredEvent"] | Schemas["OfferCancelledEvent"] | Schemas["CreditReviewEvent"] | Schemas["CreditDecidedEvent"] | Schemas["CreditLimitChangedEvent"] | Schemas["PayoutPaidEvent"];
    MerchantMe: {
        /** Null for a key with the scope `merchant`. */
        member: Schemas["Member"] | null;
        /** The merchant of the session. */
        merchant: { slug: string; name: string; };
        /** All merchants of which the person is a member. */
        merchants: {
            slug: string;
            name: string;
            /**
             * `clerk`: gets quotes, creates offers, sees the sales of the day and sales they look up; `owner`: may do everything for the merchant.
             * @enum {string}
             */
            role: "clerk" | "owner";
        }[];
    };
    MerchantOffer: {
        id: string;
        /**
         * A pending offer becomes `expired` at `expires_at`.
         * @enum {string}
         */
        status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
        description: string | null;
        /** The items of the purchase, if the merchant listed them. */
        items: {
            name: string;
            quantity: number;
            /** Amount for the whole quantity in reais; negative for a discount. */
            amount: number;
        }[];
        quote: Schemas["Quote"];
        /**
         * Format: date-time
         * When the offer expires. Until then it can be accepted, or claimed if it is open.
         */
        expires_at: string;
        /** Format: date-time */
        created_at: string;
        /** The purchase of an accepted offer. */
        checkout_hash: string | null;
        /** The phone that the offer was sent to; null for an open offer. */
        phone: string | null;
        reference: string | null;
        /** The metadata as you sent it. */
        metadata: { [key: string]: string; };
        /** The return URL as you sent it. */
        return_url: string | null;
        /** The page where the customer reads and accepts the offer. The message to a phone contains it. */
        link: string;
        /** The code of a pending open offer, which customers can type in the wallet instead of opening the link. */
        code: string | null;
        /** The QR code of the link of a pending open offer, as a PNG in a data URI. */
        qr_code: string | null;
        /**
         * Format: date-time
         * When a customer claimed the open offer.
         */
        claimed_at: string | null;
        /** The member of the merchant who created it; null if the merchant’s own server or the operator did. */
        by: { id: string; name: string; } | null;
    };
    MerchantOfferPage: { data: Schemas["MerchantOffer"][]; pagination: Schemas["Pagination"]; };
    MerchantPage: { data: Schemas["Merchant"][]; pagination: Schemas["Pagination"]; };
    MerchantReturn: {
        id: string;
        /** Returned part of the purchase amount, in reais. */
        amount: number;
        reason: string;
        /** Format: date-time */
        returned_at: string;
        /** Refunds by Pix, the newest payment first. */
        refunds: {
            /** Identifier of the payment in the Pix network. */
            end_to_end_id: string;
            /** Refunded amount, in reais. */
            amount: number;
        }[];
        /** Amount that is converted to cashback of the customer because it cannot be refunded by Pix, in reais. */
        cashback: number;
        /** The member of the merchant who created it; null if the merchant’s own server or the operator did. */
        by: { id: string; name: string; } | null;
        checkout: Schemas["Sale"];
    };
    MerchantSummary: {
        /** Number of sales. */
        sales: number;
        /** Sold amount, in reais. */
        sold: number;
        /** Returned amount, regardless of the day of sale, in reais. */
        returned: number;
        /** Number of pending offers now. */
        waiting: number;
        /** The next payout. Null if nothing is owed, and for a clerk. */
        next_payout: {
            /** Amount of the next payout, in reais. */
            amount: number;
            /**
             * Format: date
             * The due day, in São Paulo.
             */
            due_on: string;
        } | null;
    };
    NewEmail: {
        /** Format: email */
        email: string;
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
    };
    NewPassword: {
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
        password: string;
    };
    NewPhone: {
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
        current: Schemas["CodeProof"];
    };
    OfferAcceptedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "offer.accepted";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An offer was accepted and became a purchase. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer. */
            offer_id: string;
            /** The merchant's own reference. */
            reference?: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The amount of the purchase. */
            amount: number;
            /** The number of installments. */
            installments: number;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * When the offer expires.
             */
            expires_at: string;
            /** The purchase. */
            checkout_hash: string;
        };
    };
    OfferCancelledEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "offer.cancelled";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An offer was cancelled. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The amount of the purchase. */
            amount: number;
            /** The number of installments. */
            installments: number;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * When the offer expires.
             */
            expires_at: string;
            /** The merchant's own reference. */
            reference?: string | null;
        };
    };
    OfferClaim: {
        /**
         * Format: text
         * The token in the link, after /pagar/.
         */
        token: string;
        /**
         * Format: text
         * The code as typed. Case, spaces and dashes are ignored.
         */
        code?: string;
    } | {
        /**
         * Format: text
         * The token in the link, after /pagar/.
         */
        token?: string;
        /**
         * Format: text
         * The code as typed. Case, spaces and dashes are ignored.
         */
        code: string;
    };
    OfferClaimedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "offer.claimed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A customer has claimed an open offer and holds it until it expires. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The amount of the purchase. */
            amount: number;
            /** The number of installments. */
            installments: number;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * When the offer expires.
             */
            expires_at: string;
            /** The merchant's own reference. */
            reference?: string | null;
        };
    };
    OfferCreatedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "offer.created";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A merchant created an offer. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The amount of the purchase. */
            amount: number;
            /** The number of installments. */
            installments: number;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * When the offer expires.
             */
            expires_at: string;
            /** The merchant's own reference. */
            reference?: string | null;
        };
    };
    OfferDeclinedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "offer.declined";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An offer was declined. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The amount of the purchase. */
            amount: number;
            /** The number of installments. */
            installments: number;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * When the offer expires.
             */
            expires_at: string;
            /** The merchant's own reference. */
            reference?: string | null;
        };
    };
    OfferExpiredEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "offer.expired";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** An offer was not accepted in time. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The amount of the purchase. */
            amount: number;
            /** The number of installments. */
            installments: number;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * When the offer expires.
             */
            expires_at: string;
            /** The merchant's own reference. */
            reference?: string | null;
        };
    };
    OfferOrder: {
        /**
         * Format: phone
         * Mobile number in international format (E.164), or in the Brazilian format: 11 98765-0001. Its owner need not be a customer yet. Without a phone the offer is open: the first customer who claims it can accept it.
         */
        phone?: string;
        /** Purchase amount in reais. */
        amount: number;
        /** Number of weekly installments. */
        installments: number;
        /**
         * Format: text
         * What the customer buys.
         */
        description?: string;
        /**
         * Format: text
         * Your own reference. Repeating the same reference and content returns the existing offer while it is pending or accepted, and creates a new one after it was cancelled, declined or has expired.
         */
        reference?: string;
        /** The items of the purchase. Their amounts add up to `amount`. */
        items?: {
            /** Format: text */
            name: string;
            quantity: number;
            /** Amount for the whole quantity in reais; negative for a discount. */
            amount: number;
        }[];
        /** Your own data: up to 20 texts of at most 500 characters, with names of at most 40. It is returned to you with the offer, its purchase and their events, but never to customers. Do not put personal data into it. */
        metadata?: { [key: string]: string; };
        /**
         * Format: text
         * URL that the offer page links back to, with `offer_id`, `status` and `reference` added to its query. It must use https and an origin in `return_origins` of your key. Its query is no proof of payment: rely on the event, or get the offer.
         */
        return_url?: string;
        /** How long an open offer can be claimed, in seconds: 900 by default, 3,600 with a `return_url`. An offer to a phone is valid for two days, and so is an open offer once it is claimed. */
        expires_in?: number;
    };
    OwnPayoutAccount: {
        /** The Pix key of the account. */
        pix_key: string | null;
        /** Name of the account holder. */
        holder_name: string | null;
        /** CNPJ or CPF of the account holder, digits only. */
        tax_id: string | null;
        /** The pending change that an owner of the merchant requested. */
        change: {
            /** The Pix key of the account. */
            pix_key: string | null;
            /** Name of the account holder. */
            holder_name: string | null;
            /** CNPJ or CPF of the account holder, digits only. */
            tax_id: string | null;
            /** Format: date-time */
            asked_at: string;
            /**
             * Format: date-time
             * When the change takes effect unless it is cancelled before.
             */
            counts_at: string;
        } | null;
    };
    OwnPayoutAccountForm: {
        /** CPF, CNPJ, phone, e-mail or random key, as registered at the bank. */
        pix_key: string;
        /**
         * Format: text
         * Name of the account holder.
         */
        holder_name: string;
        /** CNPJ or CPF of the account holder. */
        tax_id: string;
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
    };
    OwnPhoneChange: {
        /** A phone change that has not taken effect yet. */
        phone_change: {
            /** The last four digits of the new phone. */
            phone_ends_in: string;
            /** Format: date-time */
            asked_at: string;
            /**
             * Format: date-time
             * Time when it takes effect, unless it is cancelled before.
             */
            counts_at: string;
        } | null;
    };
    OwnWebhookOrder: {
        /**
         * Format: text
         * URL to call: https, or http in the sandbox.
         */
        url: string;
        /** Event types to deliver; all if omitted or empty. */
        events?: ("lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid")[];
    };
    Pagination: {
        /** The number of this page. */
        page: number;
        /** The number of items per page. */
        limit: number;
        /** The number of items on all pages. */
        total: number;
        /** The number of pages. */
        pages: number;
    };
    PartialChargeRequest: {
        /** Pays a part of the amount due. */
        type: "settle_partial";
        /** The amount of the charge, in reais. */
        value: number;
    };
    /** An event. `type` determines the schema of `data`. */
    PartnerEvent: Schemas["LeadReceivedEvent"] | Schemas["CustomerRegisteredEvent"] | Schemas["CheckoutCreatedEvent"] | Schemas["CheckoutPaidEvent"] | Schemas["CheckoutOverdueEvent"] | Schemas["CheckoutReturnedEvent"] | Schemas["InstallmentPaidEvent"] | Schemas["InstallmentOverdueEvent"] | Schemas["InstallmentExtendedEvent"] | Schemas["InstallmentOverpaidEvent"] | Schemas["InstallmentPaymentChangedEvent"] | Schemas["InstallmentReopenedEvent"] | Schemas["PixCreatedEvent"] | Schemas["PixPaidEvent"] | Schemas["PixExpiredEvent"] | Schemas["PixRefundedEvent"] | Schemas["PixMovedEvent"] | Schemas["AutopayActivatedEvent"] | Schemas["AutopayEndedEvent"] | Schemas["AutopayFailedEvent"] | Schemas["CashbackChangedEvent"] | Schemas["ReferralRewardedEvent"] | Schemas["OfferCreatedEvent"] | Schemas["OfferClaimedEvent"] | Schemas["OfferAcceptedEvent"] | Schemas["OfferDeclinedEvent"] | Schemas["OfferExpiredEvent"] | Schemas["OfferCancelledEvent"] | Schemas["CreditReviewEvent"] | Schemas["CreditDecidedEvent"] | Schemas["CreditLimitChangedEvent"] | Schemas["PayoutPaidEvent"];
    PasswordLogin: {
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
        password: string;
    };
    Payout: {
        id: string;
        /** Slug of the merchant. */
        merchant: string;
        /** Paid amount, in reais. */
        amount: number;
        /**
         * `failed`: the merchant is owed the amount again, and the next batch pays it.
         * @enum {string}
         */
        status: "pending" | "paid" | "failed";
        /**
         * Format: date
         * The latest due day of the lines that the payout settles, in São Paulo.
         */
        due_on: string;
        /** Format: date-time */
        created_at: string;
        /** Format: date-time */
        paid_at: string | null;
        /** Reference of the bank, once the payout is paid. */
        reference: string | null;
        /** Format: date-time */
        failed_at: string | null;
        /** Reason of the failure. */
        reason: string | null;
    };
    PayoutLine: {
        id: string;
        /**
         * A `sale` and its `fee`; a `return` and the refund of its fee, `return_fee`; a `payout`, and the reversal of a failed payout, `payout_failed`.
         * @enum {string}
         */
        kind: "sale" | "fee" | "return" | "return_fee" | "payout" | "payout_failed";
        /** Positive if the merchant is owed more, negative if less, in reais. */
        amount: number;
        /** The sale of the line, if any. */
        checkout_hash: string | null;
        /** The payout of the line, if any. */
        of_payout: string | null;
        /**
         * Format: date
         * The first day on which a payout includes the line, in São Paulo.
         */
        due_on: string;
        /** Format: date-time */
        occurred_at: string;
    };
    PayoutPage: { data: Schemas["Payout"][]; pagination: Schemas["Pagination"]; };
    PayoutPaidEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "payout.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A payout to a merchant was made. */
        data: {
            /** The payout. */
            payout_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The amount paid. */
            amount: number;
            /**
             * Format: date-time
             * When the payout was made.
             */
            paid_at: string;
            /** The bank’s reference. */
            reference: string | null;
        };
    };
    PayoutWithLines: Schemas["Payout"] & {
        /** A page of the settled lines. All settled lines add up to the amount of the payout. */
        lines: Schemas["PayoutLine"][];
        pagination: Schemas["Pagination"];
    };
    PhoneCheck: {
        phone: string;
        /**
         * Whether a customer has the phone.
         * @default true
         */
        registered: boolean;
        /** Empty if not registered. */
        login_methods: ("password" | "otp")[];
    };
    PhoneForm: {
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
    };
    PixCharge: {
        id: string;
        installment_id: string;
        /**
         * `settle` pays the outstanding amount; `settle_with_penalty` also the penalties; `settle_partial` a part; `extend` postpones the due day for a fee.
         * @enum {string}
         */
        type: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
        /**
         * `cancelled`: another charge of the installment was paid, or a newer charge of the same type replaced this one.
         * @enum {string}
         */
        status: "pending" | "paid" | "expired" | "cancelled";
        /** The amount to pay, in reais. */
        value: number;
        /** The amount paid, in reais; 0 until the payment arrives. */
        paid: number;
        /** The id of the charge at the payment provider. */
        txid: string;
        /** The code to copy and paste into a bank app. */
        br_code: string;
        /** The same code as a QR code: a PNG in a data URI. */
        qr_code: string;
        /**
         * Format: date-time
         * The amount is valid until then.
         */
        expires_at: string;
        /** Format: date-time */
        created_at: string;
    };
    PixChargePage: { data: Schemas["PixCharge"][]; pagination: Schemas["Pagination"]; };
    PixChargeWithRefunds: Schemas["PixCharge"] & {
        refunds: {
            /** The refunded amount, in reais. */
            value: number;
            /**
             * `delayed`: the bank did not accept the refund, and the operator handles it. `cashback`: the payment was too old for a refund by Pix.
             * @enum {string}
             */
            status: "under_way" | "returned" | "delayed" | "cashback";
            /** The status as a text for the customer, in Portuguese. */
            explanation: string;
        }[];
    };
    PixCreatedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "pix.created";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A charge was created and can be paid. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            /** @enum {string} */
            type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
            /** The amount of the charge. */
            value: number;
            /**
             * Format: date-time
             * When the charge expires.
             */
            expires_at: string;
        };
    };
    PixExpiredEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "pix.expired";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A charge was not paid in time. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            /** @enum {string} */
            type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
            /** The amount of the charge. */
            value: number;
            /**
             * Format: date-time
             * When the charge expired.
             */
            expired_at: string;
        };
    };
    PixMovedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "pix.moved";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A payment was moved to another installment and no longer counts for this one. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            /** The amount of the payment. */
            amount: number;
            /**
             * Format: date-time
             * When the payment was moved.
             */
            moved_at: string;
            /** The payment in the Pix network. */
            end_to_end_id: string;
        };
    };
    PixPaidEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "pix.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A charge was paid. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            /** @enum {string} */
            type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
            /** The amount of the charge. */
            value: number;
            /** The amount paid. */
            paid: number;
            /**
             * Format: date-time
             * When the payment arrived.
             */
            paid_at: string;
            /** The id of the charge at the PSP. */
            txid: string;
            /** The payment in the Pix network. */
            end_to_end_id: string;
        };
    };
    PixRefundedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "pix.refunded";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A payment was refunded, completely or in part. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /** Slug of the merchant. */
            merchant: string;
            /** The offer of the purchase, if any. */
            offer_id: string | null;
            /** The merchant's own reference of that offer. */
            reference: string | null;
            /** The metadata of the offer. Only its merchant receives it. */
            metadata?: { [key: string]: string; };
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            /** The refunded amount. */
            amount: number;
            /**
             * The payment exceeded the amount owed, or the payer’s bank reversed it.
             * @enum {string}
             */
            reason: "too_much" | "taken_back";
            /** The refunded payment. */
            end_to_end_id: string;
        };
    };
    Post: Schemas["PostSummary"] & {
        /** The text in Markdown. */
        body: string;
        /** The text as sanitized HTML. */
        body_html: string;
    };
    PostPage: { data: Schemas["PostSummary"][]; pagination: Schemas["Pagination"]; };
    PostSummary: {
        /** Identifies the post in URLs. */
        slug: string;
        title: string;
        summary: string;
        /** URL of a wide image. */
        cover_url: string | null;
        author: string;
        tags: string[];
        /** Format: date-time */
        published_at: string;
    };
    Preferences: {
        /** Channels in the order in which they are tried until one accepts the message. Legal notices use the other channels too. */
        channels: ("whatsapp" | "sms" | "email" | "push")[];
        /** Whether to send reminders before the due day. Reminders on and after the due day are always sent. */
        reminders_before_due: boolean;
        /** Whether to send marketing messages. */
        news: boolean;
    };
    /** RFC 9457 problem details. */
    Problem: {
        /**
         * Format: uri
         * A page that explains cause and remedy.
         */
        type: string;
        /** A short summary, in Portuguese if `Accept-Language` prefers it. */
        title: string;
        status: number;
        /** An explanation of this occurrence, for people. */
        detail: string;
        /** A stable code, for programs. */
        code: string;
        /** Quote it when you contact support. */
        request_id: string;
        /** All invalid fields and parameters. */
        errors?: {
            /** JSON Pointer to the field, or a slash and the name of the parameter. */
            pointer: string;
            message: string;
        }[];
    };
    PublicOffer: {
        /**
         * A pending offer becomes `expired` at `expires_at`.
         * @enum {string}
         */
        status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
        /** Whether the offer was claimed or sent to a phone, and so cannot be claimed. */
        claimed: boolean;
        merchant: { slug: string; name: string; logo_url: string | null; };
        /** Purchase amount, in reais. */
        amount: number;
        description: string | null;
        /** The items of the purchase, if the merchant listed them. */
        items: {
            name: string;
            quantity: number;
            /** Amount for the whole quantity in reais; negative for a discount. */
            amount: number;
        }[];
        quote: Schemas["Quote"];
        /** URL that the offer page links back to, with `offer_id`, `status` and `reference` in its query; null if the merchant sent none. */
        return_url: string | null;
        /**
         * Format: date-time
         * When the offer expires. Until then it can be accepted, or claimed if it is open.
         */
        expires_at: string;
    };
    Quote: {
        /** Purchase amount, in reais. */
        amount: number;
        installments: {
            number: number;
            /**
             * Format: date
             * The due day, in São Paulo.
             */
            due_on: string;
            /** Amount of the installment, in reais. */
            amount: number;
        }[];
        /** Sum of all installments, in reais. */
        total: number;
        /** Cost of the credit: the total minus the amount, in reais. */
        cost: number;
        /** Cashback that all installments earn together if each is settled by its effective due day, in reais. */
        cashback_if_on_time: number;
        terms: Schemas["Terms"];
    };
    QuoteList: {
        /** By number of installments, ascending. */
        data: Schemas["Quote"][];
    };
    QuoteOrder: {
        /** Purchase amount in reais. */
        amount: number;
        /** Number of weekly installments, or `all` for a quote of every number that your plan allows. */
        installments: number | string;
    };
    Redemption: {
        installment: Schemas["Installment"];
        /** Spent cashback, in reais. */
        applied: number;
        /** Available cashback, in reais. */
        balance: number;
    };
    RedemptionRequest: {
        /** Amount to spend, in reais. At most the available cashback and the amount that settles the installment now. Defaults to that maximum. */
        value?: number;
    };
    Referral: {
        /** Easy to read aloud: contains no 0, O, 1, I or L. */
        code: string;
        /**
         * Format: uri
         * Link to share.
         */
        link: string;
        reward: {
            /** Reward of the referrer for a new invitation, in reais. */
            referrer: number;
            /** Reward of the invited customer, in reais. */
            invited: number;
            /** Amount of installments that the invited customer must pay by PIX, without penalties and fees, in reais. */
            min_paid: number;
        };
        summary: {
            /** Number of customers who registered with the code. */
            invited: number;
            /** Number of these customers who paid enough in time. */
            rewarded: number;
            /** Sum of the rewards of the referrer, in reais. */
            earned: number;
        };
        /** Newest first. */
        invitations: {
            /** The first name and the first letter of the last name. */
            name: string;
            /**
             * `registered` with the code; `rewarded` once `reward.min_paid` was paid; `expired` if that amount was not paid within 90 days.
             * @enum {string}
             */
            status: "registered" | "rewarded" | "expired";
            /** Format: date-time */
            invited_at: string;
            /** Format: date-time */
            rewarded_at: string | null;
            /** Reward of the referrer, in reais. */
            reward: number;
        }[];
    };
    ReferralRewardedEvent: {
        /** Stable across deliveries, the feed and streams. */
        id: string;
        type: "referral.rewarded";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The API version of `data`.
         */
        api_version: string;
        /** Counts the events of a purchase from 1; null for other events. */
        sequence: number | null;
        /** A customer received a reward for a referral. */
        data: {
            /** The customer. Only keys of the scope `wallet` receive it. */
            customer_id?: string;
            /**
             * The role of the customer in the referral.
             * @enum {string}
             */
            role: "referrer" | "invited";
            /** The credited amount. */
            reward: number;
        };
    };
    RefreshForm: { refresh_token: string; };
    ReturnOrder: {
        /** Part of the purchase amount to return, in reais. Defaults to the amount not returned yet. */
        amount?: number;
        /**
         * Format: text
         * The reason.
         */
        reason: string;
    };
    ReturnPreview: {
        /** Returned part of the purchase amount, in reais. */
        amount: number;
        reason: string;
        /** Format: date-time */
        returned_at: string;
        /** Refunds by Pix, the newest payment first. */
        refunds: {
            /** Identifier of the payment in the Pix network. */
            end_to_end_id: string;
            /** Refunded amount, in reais. */
            amount: number;
        }[];
        /** Amount that is converted to cashback of the customer because it cannot be refunded by Pix, in reais. */
        cashback: number;
        /** The member of the merchant who created it; null if the merchant’s own server or the operator did. */
        by: { id: string; name: string; } | null;
        checkout: Schemas["Sale"];
        /** Whether the return would have to wait for the operator’s approval. */
        would_wait: boolean;
        merchant: {
            /** Your balance now; negative if you owe it, in reais. */
            owed_before: number;
            /** Your balance after the return, in reais. */
            owed_after: number;
        };
    };
    Sale: Schemas["SaleItem"] & {
        terms: Schemas["AgreedTerms"];
        installments: {
            id: string;
            number: number;
            /**
             * Format: date
             * The due day, including extensions, in São Paulo.
             */
            due_on: string;
            /**
             * Format: date
             * The due day or the next banking day after it; the installment is late after this day, in São Paulo.
             */
            effective_due_on: string;
            /**
             * `overdue` from the day after the effective due day until the amount and all penalties are paid.
             * @enum {string}
             */
            status: "open" | "overdue" | "paid";
            /** Agreed amount, in reais. */
            amount: number;
            /** Paid part of the amount, in reais. */
            paid: number;
            /** Early payment discount, in reais. */
            discount: number;
            /** Reduction of the amount by returns; by rounding the last installment may grow by some centavos, in reais. */
            returned: number;
            /** Outstanding amount, in reais. */
            outstanding: number;
            penalty: {
                /** Unpaid fine, in reais. */
                fine: number;
                /** Unpaid interest, in reais. */
                interest: number;
                /** Sum of both, in reais. */
                total: number;
                /** Days since the effective due day. */
                days_late: number;
            };
            /** Charges paid in addition to the amount, minus refunds. */
            charges_paid: {
                /** Fine, in reais. */
                fine: number;
                /** Interest, in reais. */
                interest: number;
                /** Extension fees, in reais. */
                extension_fee: number;
            };
            /** Penalties that were waived because a retried autopay debit settled the installment. */
            charges_waived: {
                /** Fine, in reais. */
                fine: number;
                /** Interest, in reais. */
                interest: number;
            };
            /** Outstanding and penalty, in reais. */
            total_due: number;
            /** Format: date-time */
            paid_at: string | null;
            /** Number of extensions. */
            extensions: number;
            /** Cashback that the installment earns if it is settled by its effective due day. Returned amounts and amounts paid with cashback earn none. 0 once the installment is paid or late, in reais. */
            cashback_if_on_time: number;
        }[];
    };
    SaleItem: Schemas["CheckoutItem"] & {
        customer: {
            /** The name, masked except for the first name. */
            name: string;
        };
        /** The offer of the purchase, if it was accepted from one. */
        offer_id: string | null;
        /** The metadata of the offer. */
        metadata: { [key: string]: string; };
        /** The member of the merchant who created it; null if the merchant’s own server or the operator did. */
        by: { id: string; name: string; } | null;
    };
    SalePage: { data: Schemas["SaleItem"][]; pagination: Schemas["Pagination"]; };
    SalesByDay: {
        /** Every day in order, including days without sales. */
        data: {
            /**
             * Format: date
             * The day, in São Paulo.
             */
            day: string;
            /** Number of sales. */
            sales: number;
            /** Sold amount, in reais. */
            sold: number;
            /** Returned amount, regardless of the day of sale, in reais. */
            returned: number;
        }[];
    };
    SandboxMessage: {
        /** The phone of the recipient, also for an e-mail. */
        phone: string | null;
        /** @enum {string} */
        channel: "whatsapp" | "sms" | "email" | "push";
        /** The template of the message: `login_code`, `offer`, `reminder`, ... */
        template: string;
        /** For a reminder, the number of days from the due day. */
        step: number | null;
        text: string;
        /** The login code or PIX code of the message, if it has one. */
        code: string | null;
        /** The link of the message, if it has one. */
        link: string | null;
        /** Format: date-time */
        sent_at: string;
    };
    SandboxPayment: {
        end_to_end_id: string;
        txid: string;
        /** The amount paid, in reais. */
        value: number;
        /** Format: date-time */
        paid_at: string;
    };
    SignUpForm: {
        /**
         * Format: phone
         * International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.
         */
        phone: string;
        /**
         * Format: text
         * The `challenge_id` from the request for the code.
         */
        challenge_id: string;
        /** The six digits from the message. */
        code: string;
        /**
         * Format: text
         * Full name.
         */
        name: string;
        /**
         * Format: cpf
         * With or without punctuation. Responses mask it.
         */
        cpf: string;
        /**
         * Format: birth-date
         * YYYY-MM-DD.
         */
        birth_date: string;
        /** Format: email */
        email: string;
        /** Without a password the customer logs in by code, and can set a password later. */
        password?: string;
        /**
         * Format: text
         * Referral code of the customer who invited this one.
         */
        referral_code?: string;
        /** Version of the terms of use that the customer accepted. */
        terms: string;
    };
    /** The event of `Last-Event-ID` is unknown or no longer retained: the stream starts with new events, and events may have been missed. Reload the data. */
    StreamReset: { type: "reset"; reason: "last_event_id_unknown"; };
    SwitchForm: {
        /** The merchant to switch to. */
        merchant: string;
    };
    /** The agreed terms of the purchase, which never change. */
    Terms: {
        /** Interest per week; with 0 the amount is split evenly, in percent. */
        weekly_rate_percent: number;
        /** One-time fine on the amount that is unpaid after the due day; at most 2, in percent. */
        fine_percent: number;
        /** Simple interest per month on late amounts, charged by the day; at most 1, in percent. */
        late_interest_percent: number;
        /** Fee for an extension, on the outstanding amount; at most 10, in percent. */
        extension_fee_percent: number;
        /** Number of days by which an extension moves the due day. */
        extension_days: number;
        /** Maximum number of extensions of an installment. */
        extension_limit: number;
        /** Cashback on each installment paid on time, in percent. */
        cashback_percent: number;
        /** Total cost of the credit per month (CET), a twelfth of a year, in percent. */
        cet_percent_month: number;
        /** Total cost of the credit per year of 365 days (CET), in percent. */
        cet_percent_year: number;
    };
    WaitingAnswer: { return: Schemas["WaitingReturn"]; };
    WaitingReturn: {
        id: string;
        /**
         * `made`: the operator approved the return. The completed return has the same id.
         * @enum {string}
         */
        status: "waiting" | "made" | "refused";
        /** The hash of the purchase. */
        checkout_hash: string;
        /** Part of the purchase amount to be returned, in reais. */
        amount: number;
        reason: string;
        /** Format: date-time */
        asked_at: string;
        /**
         * Format: date-time
         * When the return was approved or refused.
         */
        closed_at: string | null;
        /** Reason of the refusal. */
        refusal: string | null;
        /** The member of the merchant who created it; null if the merchant’s own server or the operator did. */
        by: { id: string; name: string; } | null;
    };
    WaitingReturnPage: { data: Schemas["WaitingReturn"][]; pagination: Schemas["Pagination"]; };
    WalletCalendar: {
        /** All unpaid installments, longest due first. */
        data: {
            installment_id: string;
            checkout_hash: string;
            merchant: string;
            number: number;
            /** Number of installments of the purchase. */
            of: number;
            /**
             * Format: date
             * The agreed due day, or the new one after an extension.
             */
            due_on: string;
            /**
             * Format: date
             * The last day on which the installment is not late.
             */
            effective_due_on: string;
            /** Outstanding amount without penalties, in reais. */
            outstanding: number;
        }[];
        /** The secret URL for calendar apps; null if there is none. */
        feed: {
            /** Format: date-time */
            created_at: string;
        } | null;
    };
    WalletCredit: {
        /** Credit limit, in reais. */
        limit: number;
        /** Amount owed, in reais. */
        used: number;
        /** Amount available for purchases; 0 while a purchase would be refused, in reais. */
        available: number;
        /**
         * Why a purchase would be refused now; `available` is then 0. `overdue`: an installment is overdue. `cashback_owed`: the cashback balance is negative. `review`: a person reviews the sign-up or a purchase.
         * @enum {string|null}
         */
        blocked_by: "overdue" | "cashback_owed" | "review" | null;
        /** Higher limit that takes effect when the customer accepts it, in reais. */
        offered: number | null;
        /** Reasons for the limit, as sentences. */
        reasons: string[];
        /** What the customer can do next, as a sentence. */
        next_step: string;
        /**
         * Format: date-time
         * Time when the pending review was requested; null if none is pending.
         */
        review: string | null;
    };
    /** An event about the customer. `type` determines the schema of `data`. */
    WalletEvent: Schemas["CustomerRegisteredEvent"] | Schemas["CheckoutCreatedEvent"] | Schemas["CheckoutPaidEvent"] | Schemas["CheckoutOverdueEvent"] | Schemas["CheckoutReturnedEvent"] | Schemas["InstallmentPaidEvent"] | Schemas["InstallmentOverdueEvent"] | Schemas["InstallmentExtendedEvent"] | Schemas["InstallmentOverpaidEvent"] | Schemas["InstallmentPaymentChangedEvent"] | Schemas["InstallmentReopenedEvent"] | Schemas["PixCreatedEvent"] | Schemas["PixPaidEvent"] | Schemas["PixExpiredEvent"] | Schemas["PixRefundedEvent"] | Schemas["PixMovedEvent"] | Schemas["AutopayActivatedEvent"] | Schemas["AutopayEndedEvent"] | Schemas["AutopayFailedEvent"] | Schemas["CashbackChangedEvent"] | Schemas["ReferralRewardedEvent"] | Schemas["OfferCreatedEvent"] | Schemas["OfferClaimedEvent"] | Schemas["OfferAcceptedEvent"] | Schemas["OfferDeclinedEvent"] | Schemas["OfferExpiredEvent"] | Schemas["OfferCancelledEvent"] | Schemas["CreditReviewEvent"] | Schemas["CreditDecidedEvent"] | Schemas["CreditLimitChangedEvent"];
    WalletHome: {
        credit: {
            /** Credit limit, in reais. */
            limit: number;
            /** Amount owed on all purchases, in reais. */
            used: number;
            /** Amount available for purchases; 0 while a purchase would be refused, in reais. */
            available: number;
            /**
             * Why a purchase would be refused now; `available` is then 0. `overdue`: an installment is overdue. `cashback_owed`: the cashback balance is negative. `review`: a person reviews the sign-up or a purchase.
             * @enum {string|null}
             */
            blocked_by: "overdue" | "cashback_owed" | "review" | null;
        };
        cashback: {
            /** Available cashback; negative if cashback that had been spent was reversed, in reais. */
            available: number;
            /** Cashback that the open installments will earn if they are all paid on time, in reais. */
            pending: number;
        };
        due: Schemas["DuePayments"];
        offers: Schemas["WalletOffer"][];
        checkouts: Schemas["CheckoutPage"];
    };
    WalletMessage: {
        id: string;
        /** Name of the template: `offer`, `reminder`, `payment_received`, ... */
        template: string;
        /** For reminders: days from the due day. */
        step: number | null;
        channel: ("whatsapp" | "sms" | "email" | "push") | null;
        text: string;
        /** @enum {string} */
        status: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
        /** Format: date-time */
        sent_at: string;
    };
    WalletMessages: { data: Schemas["WalletMessage"][]; pagination: Schemas["Pagination"]; };
    WalletOffer: {
        id: string;
        /**
         * A pending offer becomes `expired` at `expires_at`.
         * @enum {string}
         */
        status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
        description: string | null;
        /** The items of the purchase, if the merchant listed them. */
        items: {
            name: string;
            quantity: number;
            /** Amount for the whole quantity in reais; negative for a discount. */
            amount: number;
        }[];
        quote: Schemas["Quote"];
        /**
         * Format: date-time
         * When the offer expires. Until then it can be accepted, or claimed if it is open.
         */
        expires_at: string;
        /** Format: date-time */
        created_at: string;
        /** The purchase of an accepted offer. */
        checkout_hash: string | null;
        /** URL that the offer page links back to, with `offer_id`, `status` and `reference` in its query; null if the merchant sent none. */
        return_url: string | null;
        merchant: { slug: string; name: string; logo_url: string | null; };
        creditor: Schemas["Creditor"];
    };
    WalletOfferPage: { data: Schemas["WalletOffer"][]; pagination: Schemas["Pagination"]; };
    WalletSession: {
        /** Id of the session. */
        id: string;
        /** Whether it is the session of this request. */
        is_current: boolean;
        /**
         * Format: date-time
         * Time of the login.
         */
        created_at: string;
        /**
         * Format: date-time
         * Time of the last token refresh.
         */
        refreshed_at: string;
    };
    WalletSessionList: { data: Schemas["WalletSession"][]; };
    WebhookDelivery: {
        /** Id of the delivery: that of its event. */
        id: string;
        /** Id of the event, the value of the header `webhook-id`. */
        event: string;
        type: string;
        /** Format: date-time */
        occurred_at: string;
        /** @enum {string} */
        status: "pending" | "delivered" | "failed";
        /** Number of attempts, of at most eight, since the event was last queued. */
        tries: number;
        /**
         * Format: date-time
         * Earliest time of the next attempt.
         */
        next_try_at: string | null;
        /**
         * Format: date-time
         * When the event was delivered or finally failed.
         */
        settled_at: string | null;
        /** The latest attempts, newest last. */
        attempts: {
            /** Format: date-time */
            at: string;
            /** HTTP status of the response. */
            status: number | null;
            /** Why there was no response. */
            error: string | null;
            /** Duration of the call. */
            duration_ms: number;
            /** The first 2 KB of the response body. */
            answer: string | null;
        }[];
    };
    WebhookDeliveryDetails: Schemas["WebhookDelivery"] & {
        /** The latest request; null before the first attempt. */
        request: {
            /** Format: uri */
            url: string;
            headers: { [key: string]: string; };
            /** The first 16 KiB of the request body. */
            body: string;
        } | null;
        /** What the receiver responded to it; null if it did not respond. */
        response: {
            status: number;
            headers: { [key: string]: string; };
            /** The first 16 KiB of the response body. */
            body: string;
        } | null;
    };
    WebhookEndpoint: {
        id: string;
        /** Id of the partner. */
        partner: string;
        /** Format: uri */
        url: string;
        /** The event types that are delivered; empty means all. */
        events: string[];
        /** Slug of the merchant whose events are delivered; null means all events of the partner. */
        merchant: string | null;
        /** @enum {string} */
        status: "enabled" | "disabled";
        /** `operator`, `partner`, `gone` (the receiver responded with 410) or `failing` (only failures for five days). */
        disabled_reason: string | null;
        /**
         * Format: date-time
         * When the endpoint was disabled.
         */
        disabled_at: string | null;
        /**
         * Format: date-time
         * Since when all deliveries fail.
         */
        failing_since: string | null;
        /**
         * Format: date-time
         * Until when the previous secret signs too.
         */
        old_secret_until: string | null;
        /** Format: date-time */
        created_at: string;
    };
    WebhookEndpointWithSecret: Schemas["WebhookEndpoint"] & {
        /** The secret that signs deliveries. It is not returned again. */
        secret: string;
    };
    WebhookPatch: {
        /**
         * Format: text
         * URL to call: https, or http in the sandbox.
         */
        url?: string;
        /** Event types to deliver; all if omitted or empty. */
        events?: ("lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid")[];
        /**
         * `enabled` resets the failures and continues with the pending deliveries; `disabled` pauses them, and queues no events.
         * @enum {string}
         */
        status?: "enabled" | "disabled";
    };
    WholeChargeRequest: {
        /**
         * `settle` pays the outstanding amount; `settle_with_penalty` also the penalties; `extend` postpones the due day for a fee.
         * @enum {string}
         */
        type: "settle" | "settle_with_penalty" | "extend";
        /** Optimistic check: the request fails unless this is the amount due now, in reais. */
        value?: number;
    };
}
