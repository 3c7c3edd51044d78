// Made by 'npm run generate' from openapi.json.
import type { components } from './openapi-schemas.ts';

export interface operations {
    listAgreements: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                kind?: "terms" | "privacy";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffAgreement"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    publishAgreement: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    kind: "terms" | "privacy";
                    version: string;
                    sections: { title: string; text: string; }[];
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffAgreement"]; }; }; };
    };
    listApprovals: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "waiting" | "approved" | "refused" | "failed" | "expired";
                kind?: "orphan_refund" | "write_off" | "cashback_adjustment" | "payout" | "limit" | "payout_account" | "credit_policy" | "payment_move";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["Approval"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getApproval: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["Approval"]; }; }; };
    };
    approveAct: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ApprovedAct"]; }; }; };
    };
    refuseAct: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ApprovalRefusal"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["Approval"]; }; }; };
    };
    listAuditTrail: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                actor?: string;
                subject?: string;
                since?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditTrailEntry"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listAutopay: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "active" | "rejected" | "expired" | "ended";
                customer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffAutopay"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listDebits: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "scheduled" | "trying" | "paid" | "failed" | "withdrawn";
                customer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffDebit"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listCashbackOfAll: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                kind?: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
                customer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffCashbackItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getCashbackOfCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffCashbackShown"]; }; };
        };
    };
    adjustCashback: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CashbackAdjustment"]; }; };
        responses: {
            201: { content: { "application/json": components["schemas"]["StaffCashback"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listCategoryForStaff: {
        parameters: {
            query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffCategory"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createCategory: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { slug: string; name: string; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffCategory"]; }; }; };
    };
    getCategoryForStaff: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffCategory"]; }; }; };
    };
    removeCategory: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeCategory: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: { content: { "application/json": { name: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffCategory"]; }; }; };
    };
    listCheckoutsOfAll: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "open" | "overdue" | "paid";
                days_late?: "1-7" | "8-30" | "31-90" | "90+";
                written_off?: "true" | "false";
                merchant?: string;
                customer?: string;
                reference?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorCheckoutItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createCheckout: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CheckoutOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["OperatorCheckoutShown"]; }; };
            201: { content: { "application/json": components["schemas"]["OperatorCheckoutShown"]; }; };
        };
    };
    getCheckoutOfAnybody: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffCheckout"]; }; }; };
    };
    getContractOfAnybody: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/pdf": string; }; }; };
    };
    reinstateCheckout: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["WriteOffOrder"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["WriteOffState"]; }; }; };
    };
    returnCheckout: {
        parameters: { query?: { dry_run?: "true" | "false"; }; path: { hash: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ReturnOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["OperatorReturn"]; }; };
            201: { content: { "application/json": components["schemas"]["OperatorReturn"]; }; };
        };
    };
    writeOffCheckout: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["WriteOffOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["WriteOffState"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listCreditDecisions: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                customer?: string;
                outcome?: "approved" | "review" | "declined";
                moment?: "signup" | "accept" | "growth" | "late" | "review";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CreditDecisionItem"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getCreditDecision: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["CreditDecision"]; }; }; };
    };
    approveCreditDecision: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["CreditApproval"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditDecision"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    declineCreditDecision: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CreditRefusal"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["CreditDecision"]; }; }; };
    };
    getCreditPolicy: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditPolicyInForce"]; }; };
        };
    };
    setCreditPolicy: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CreditPolicyForm"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditPolicyInForce"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    tryCreditPolicy: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CreditPolicyTry"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditPolicyTried"]; }; };
        };
    };
    listCreditPolicyVersions: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CreditPolicyVersion"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                name?: string;
                q?: string;
                phone?: string;
                email?: string;
                cpf?: string;
                status?: "active" | "locked" | "erased" | "overdue";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomerItem"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createCustomer: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CustomerForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    getCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    changeCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CustomerChange"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    eraseCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ErasureForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    exportCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["CustomerExport"]; }; }; };
    };
    lockCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    listCustomerNotes: {
        parameters: {
            query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomerNote"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    writeCustomerNote: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CustomerNoteForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["CustomerNote"]; }; }; };
    };
    getOwedByCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["Owed"]; }; }; };
    };
    cancelPhoneChange: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    sendPhoneChangeCode: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 202: { content: { "application/json": components["schemas"]["CodeOnItsWay"]; }; }; };
    };
    confirmPhoneChange: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["PhoneConfirmation"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    listCustomerSessions: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["CustomerSession"][]; }; }; };
        };
    };
    endCustomerSession: {
        parameters: { query?: never; path: { id: string; session: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 204: { content?: never; }; };
    };
    endCustomerSessions: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 204: { content?: never; }; };
    };
    getCustomerStory: {
        parameters: {
            query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StoryLine"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    unlockCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    searchEvents: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                type?: "lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid" | "webhook.disabled";
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffEvent"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listFaqEntryForStaff: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                q?: string;
                topic?: string;
                listed?: "true" | "false";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffFaqEntry"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createFaqEntry: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    topic: string;
                    question: string;
                    answer: string;
                    position?: number;
                    listed?: boolean;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffFaqEntry"]; }; }; };
    };
    getFaqEntryForStaff: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffFaqEntry"]; }; }; };
    };
    removeFaqEntry: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeFaqEntry: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    topic?: string;
                    question?: string;
                    answer?: string;
                    position?: number;
                    listed?: boolean;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffFaqEntry"]; }; }; };
    };
    getFourEyes: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["FourEyes"]; }; }; };
    };
    importContent: {
        parameters: {
            query?: { dry_run?: "true" | "false"; format?: "csv" | "jsonl"; encoding?: "utf-8" | "latin1"; };
            path: { kind: "categories" | "merchants" | "faq" | "posts"; };
        };
        requestBody: { content: { "text/csv": unknown; "application/x-ndjson": unknown; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ImportOutcome"]; }; }; };
    };
    listFailingJobs: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["FailingJob"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    retryJob: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    listKeys: {
        parameters: {
            query?: { page?: number; limit?: number; partner?: string; q?: string; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyItem"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createKey: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    partner: string;
                    scopes: ("public" | "wallet" | "merchant" | "till")[];
                    label?: string;
                    merchant?: string;
                    origins?: string[];
                    return_origins?: string[];
                    backend?: boolean;
                    requests_per_minute?: number | null;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["NewApiKey"]; }; }; };
    };
    changeKey: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": { return_origins: string[]; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ApiKey"]; }; }; };
    };
    revokeKey: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ApiKey"]; }; }; };
    };
    rotateKey: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": { overlap_hours?: number; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["NewApiKey"]; }; }; };
    };
    listLeads: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                kind?: string;
                status?: "new" | "handled";
                q?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffLead"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getLead: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffLead"]; }; }; };
    };
    removeLead: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeLead: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: { "application/json": { status?: "new" | "handled"; note?: string | null; }; };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffLead"]; }; }; };
    };
    makeMerchantOfLead: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["LeadMerchantForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["LeadMerchant"]; }; }; };
    };
    getStaffMe: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMe"]; }; }; };
    };
    listSavedViews: {
        parameters: { query?: { list?: string; }; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["SavedView"][]; }; }; };
        };
    };
    saveView: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["SavedViewForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["SavedView"]; }; }; };
    };
    removeSavedView: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    listMedia: {
        parameters: {
            query?: { page?: number; limit?: number; unused?: "true"; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["Media"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addMedia: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Media"]; }; };
            201: { content: { "application/json": components["schemas"]["Media"]; }; };
        };
    };
    getMediaOfStaff: {
        parameters: { query?: never; path: { name: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "image/*": string; }; }; };
    };
    removeMedia: {
        parameters: { query?: never; path: { name: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    listMerchantForStaff: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                q?: string;
                category?: string;
                listed?: "true" | "false";
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffMerchant"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createMerchant: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    name: string;
                    category: string;
                    description?: string | null;
                    logo_url?: string | null;
                    city?: string | null;
                    state?: string | null;
                    website?: string | null;
                    listed?: boolean;
                    plan?: {
                        weekly_rate_percent?: number;
                        max_installments?: number;
                        min_amount?: number;
                        max_amount?: number;
                        cashback_percent?: number;
                        merchant_fee_percent?: number;
                        payout_days?: number;
                    };
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    getMerchantForStaff: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    removeMerchant: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeMerchant: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    category?: string;
                    description?: string | null;
                    logo_url?: string | null;
                    city?: string | null;
                    state?: string | null;
                    website?: string | null;
                    listed?: boolean;
                    plan?: {
                        weekly_rate_percent?: number;
                        max_installments?: number;
                        min_amount?: number;
                        max_amount?: number;
                        cashback_percent?: number;
                        merchant_fee_percent?: number;
                        payout_days?: number;
                    };
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    setMerchantLogo: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    listMerchantMembers: {
        parameters: {
            query?: { page?: number; limit?: number; removed?: "true" | "false"; csv?: "plain" | "br"; };
            path: { slug: string; };
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MerchantMember"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addMerchantMember: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["MemberForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["MerchantMember"]; }; }; };
    };
    removeMerchantMember: {
        parameters: { query?: never; path: { slug: string; id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    getPayoutAccount: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PayoutAccount"]; }; }; };
    };
    setPayoutAccount: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PayoutAccountForm"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["PayoutAccount"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    stopPayoutAccountChange: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PayoutAccount"]; }; }; };
    };
    listMessageTemplates: {
        parameters: { query?: { page?: number; limit?: number; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageTemplate"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listStaffMessages: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                customer?: string;
                checkout?: string;
                status?: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
                channel?: "whatsapp" | "sms" | "email" | "push";
                template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffMessage"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    resendMessage: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 201: { content: { "application/json": components["schemas"]["StaffMessage"]; }; }; };
    };
    sendTestMessage: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    channel: "sms" | "whatsapp" | "email";
                    to: string;
                    template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        channel: "sms" | "whatsapp" | "email";
                        provider_id: string | null;
                        text: string;
                    };
                };
            };
        };
    };
    listNodes: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["ServiceNode"][]; }; }; };
        };
    };
    listOffersOfAll: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                merchant?: string;
                customer?: string;
                reference?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffOfferItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createOfferForMerchant: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["StaffOfferOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffOffer"]; }; };
            201: { content: { "application/json": components["schemas"]["StaffOffer"]; }; };
        };
    };
    getOfferOfAnybody: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffOffer"]; }; }; };
    };
    cancelOfferOfAnybody: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffOfferItem"]; }; }; };
    };
    listPartners: {
        parameters: {
            query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["Partner"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createPartner: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { name: string; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["Partner"]; }; }; };
    };
    listPayouts: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "paid" | "failed";
                merchant?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPayoutItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createPayouts: {
        parameters: { query?: never; path?: never; };
        requestBody?: { content: { "application/json": components["schemas"]["PayoutBatch"]; }; };
        responses: {
            201: { content: { "application/json": { data: components["schemas"]["Payout"][]; }; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    getPayout: {
        parameters: { query?: { page?: number; limit?: number; }; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PayoutWithLines"]; }; }; };
    };
    markPayoutFailed: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PayoutFailed"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["Payout"]; }; }; };
    };
    markPayoutPaid: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PayoutPaid"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["Payout"]; }; }; };
    };
    markPayoutsByFile: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                format?: "csv" | "cnab240";
                encoding?: "utf-8" | "latin1";
            };
            path?: never;
        };
        requestBody: { content: { "text/csv": unknown; "text/plain": unknown; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["ReturnFileOutcome"]; }; };
        };
    };
    listPixCharges: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "paid" | "expired" | "cancelled";
                type?: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPixChargeItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixCharge: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffPixChargeItem"]; }; };
        };
    };
    listPixDiscrepancies: {
        parameters: { query?: { page?: number; limit?: number; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["PixDiscrepancy"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listPixOrphans: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "open" | "asked" | "processing" | "returned";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["PixOrphan"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixOrphan: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PixOrphanShown"]; }; }; };
    };
    assignPixOrphan: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["OrphanAssignment"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["AssignedOrphan"]; }; }; };
    };
    refundPixOrphan: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["PixOrphan"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listPixPaymentItems: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                end_to_end_id?: string;
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["PixPaymentItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixPayment: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["PixPaymentWithRefunds"]; }; };
        };
    };
    movePixPayment: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PaymentMove"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["MovedPayment"]; }; };
            201: { content: { "application/json": components["schemas"]["MovedPayment"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listPixRefundItems: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["PixRefundItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixRefund: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PixRefundItem"]; }; }; };
    };
    retryPixRefund: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": { asked: number; refund: components["schemas"]["PixRefund"]; };
                };
            };
        };
    };
    previewPost: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { body: string; }; }; };
        responses: { 200: { content: { "application/json": { body_html: string; }; }; }; };
    };
    listPostForStaff: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "draft" | "scheduled" | "published";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPost"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createPost: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    title: string;
                    summary: string;
                    author: string;
                    body: string;
                    cover_url?: string | null;
                    tags?: string[];
                    published_at?: string | null;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    getPostForStaff: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    removePost: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changePost: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    summary?: string;
                    author?: string;
                    body?: string;
                    cover_url?: string | null;
                    tags?: string[];
                    published_at?: string | null;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    setPostCover: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    listReferrals: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                status?: "registered" | "rewarded" | "expired";
                referrer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffReferral"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addReferral: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["ReferralOrder"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffReferral"]; }; }; };
    };
    getReferralOfCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffReferral"]; }; }; };
    };
    getAgingReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["AgingReport"]; "text/csv": string; };
            };
        };
    };
    getAutopayReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["AutopayReport"]; "text/csv": string; };
            };
        };
    };
    getCashbackReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["CashbackReport"]; "text/csv": string; };
            };
        };
    };
    getCohortsReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["CohortsReport"]; "text/csv": string; };
            };
        };
    };
    getIncomeReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["IncomeReport"]; "text/csv": string; };
            };
        };
    };
    getMerchantsReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MerchantsReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getMessagesReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["MessagesReport"]; "text/csv": string; };
            };
        };
    };
    getPixReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["PixReport"]; "text/csv": string; };
            };
        };
    };
    getPortfolioReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PortfolioReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getRefusalsReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["RefusalsReport"]; "text/csv": string; };
            };
        };
    };
    getRemindersReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RemindersReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getWeeklyReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["WeeklyReport"]; "text/csv": string; };
            };
        };
    };
    listReturnsThatWaited: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "waiting" | "made" | "refused";
                merchant?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffWaitingReturn"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    approveReturn: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffWaitingReturn"]; }; };
        };
    };
    refuseReturn: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ReturnRefusal"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffWaitingReturn"]; }; };
        };
    };
    searchEverything: {
        parameters: { query: { q: string; }; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["SearchHit"][]; }; }; };
        };
    };
    listSettings: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["SettingInForce"][]; }; }; };
        };
    };
    listStaff: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                q?: string;
                removed?: "true" | "false";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffMember"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addStaffMember: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    role: "viewer" | "content" | "support" | "finance" | "admin";
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["NewStaffMember"]; }; }; };
    };
    getStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMember"]; }; }; };
    };
    removeStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    role?: "viewer" | "content" | "support" | "finance" | "admin";
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMember"]; }; }; };
    };
    inviteStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 201: { content: { "application/json": components["schemas"]["StaffInvited"]; }; }; };
    };
    showToday: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["Today"]; }; }; };
    };
    listWebhooks: {
        parameters: {
            query?: {
                partner?: string;
                status?: "enabled" | "disabled";
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createWebhook: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["WebhookOrder"]; }; };
        responses: {
            201: { content: { "application/json": components["schemas"]["WebhookEndpointWithSecret"]; }; };
        };
    };
    getWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookEndpoint"]; }; }; };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed";
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    disableWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookEndpoint"]; }; }; };
    };
    enableWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookEndpoint"]; }; }; };
    };
    replayWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    event: string;
                } | { since: string; };
            };
        };
        responses: { 202: { content: { "application/json": { replayed: number; }; }; }; };
    };
    rotateWebhookSecret: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": { overlap_hours?: number; }; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["WebhookEndpointWithSecret"]; }; };
        };
    };
    testWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookDelivery"]; }; }; };
    };
    acceptInvitation: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: { "application/json": { token: string; email: string; password: string; }; };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffEntered"]; }; }; };
    };
    listFactors: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffFactors"]; }; }; };
    };
    removeFactor: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    readInvitation: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { token: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffInvitation"]; }; }; };
    };
    signInStaff: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["StaffLogin"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffEntered"]; }; }; };
    };
    signOutStaff: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    askForPasskey: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { purpose: "sign_in" | "new"; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["PasskeyOptions"]; }; }; };
    };
    addPasskey: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { name: string; passkey: Record<string, never>; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["FactorAdded"]; }; }; };
    };
    giveSecondFactor: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: { "application/json": { code?: string; passkey?: Record<string, never>; }; };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffProven"]; }; }; };
    };
    listStaffSessions: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["StaffSession"][]; }; }; };
        };
    };
    endStaffSession: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    endOtherStaffSessions: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    proposeTotp: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["NewTotp"]; }; }; };
    };
    confirmTotp: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { code: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["FactorAdded"]; }; }; };
    };
    authoriseAutopay: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["SandboxAutopay"]; }; }; };
    };
    cancelAutopay: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["SandboxAutopay"]; }; }; };
    };
    refuseAutopay: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["SandboxAutopay"]; }; }; };
    };
    askSandboxBureau: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { cpf: string; }; }; };
        responses: { 200: { content: { "application/json": { score: unknown; cpf_status?: unknown; }; }; }; };
    };
    getClock: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ClockReading"]; }; }; };
    };
    moveClock: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["ClockMove"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ClockReading"]; }; }; };
    };
    resetClock: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ClockReading"]; }; }; };
    };
    listMessages: {
        parameters: {
            query?: {
                phone?: string;
                email?: string;
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["SandboxMessage"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    payCharge: {
        parameters: { query?: never; path: { txid: string; }; };
        requestBody?: {
            content: { "application/json": { value?: number; at?: string; force?: boolean; }; };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["SandboxPayment"]; }; }; };
    };
    reversePayment: {
        parameters: { query?: never; path: { txid: string; }; };
        requestBody?: { content: { "application/json": { value?: number; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["SandboxReversal"]; }; }; };
    };
    showPspPage: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "text/html": string; }; }; };
    };
    listPspDeliveries: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["PspDelivery"][]; }; }; };
        };
    };
    getPspFaults: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PspFaults"]; }; }; };
    };
    setPspFaults: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PspFaults"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["PspFaults"]; }; }; };
    };
    scanBrCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { br_code: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ScannedCharge"]; }; }; };
    };
    resetSandbox: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ResetDone"]; }; }; };
    };
    enterAsRole: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": { role: "viewer" | "content" | "support" | "finance" | "admin"; };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffEntered"]; }; }; };
    };
}
