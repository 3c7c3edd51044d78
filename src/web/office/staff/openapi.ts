// Made by 'npm run generate' from openapi.json.
import type { components } from './openapi-schemas.ts';

export interface operations {
    listAgreements: {
        query?: components["schemas"]["ListQuery"] & { kind?: "terms" | "privacy"; };
        answer: {
            data: components["schemas"]["StaffAgreement"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    publishAgreement: {
        body: { kind: "terms" | "privacy"; version: string; sections: { title: string; text: string; }[]; };
        answer: components["schemas"]["StaffAgreement"];
    };
    listApprovals: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "waiting" | "approved" | "refused" | "failed" | "expired";
            kind?: "orphan_refund" | "write_off" | "cashback_adjustment" | "payout" | "limit" | "payout_account" | "credit_policy" | "payment_move";
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["Approval"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getApproval: { path: { id: string; }; answer: components["schemas"]["Approval"]; };
    approveAct: { path: { id: string; }; answer: components["schemas"]["ApprovedAct"]; };
    refuseAct: {
        path: { id: string; };
        body: components["schemas"]["ApprovalRefusal"];
        answer: components["schemas"]["Approval"];
    };
    listAuditTrail: {
        query?: components["schemas"]["ListQuery"] & {
            actor?: string;
            subject?: string;
            since?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["AuditTrailEntry"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    listAutopay: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "pending" | "active" | "rejected" | "expired" | "ended";
            customer?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffAutopay"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    listDebits: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "scheduled" | "trying" | "paid" | "failed" | "withdrawn";
            customer?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffDebit"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    listCashbackOfAll: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            kind?: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            customer?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffCashbackItem"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getCashbackOfCustomer: { path: { id: string; }; answer: components["schemas"]["StaffCashbackShown"]; };
    adjustCashback: {
        path: { id: string; };
        body: components["schemas"]["CashbackAdjustment"];
        answer: components["schemas"]["StaffCashback"] | { approval: components["schemas"]["Approval"]; };
    };
    listCategoryForStaff: {
        query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["StaffCategory"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createCategory: {
        body: { slug: string; name: string; };
        answer: components["schemas"]["StaffCategory"];
    };
    getCategoryForStaff: { path: { slug: string; }; answer: components["schemas"]["StaffCategory"]; };
    changeCategory: {
        path: { slug: string; };
        body: { name: string; };
        answer: components["schemas"]["StaffCategory"];
    };
    removeCategory: { path: { slug: string; }; answer: undefined; };
    listCheckoutsOfAll: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "open" | "overdue" | "paid";
            days_late?: "1-7" | "8-30" | "31-90" | "90+";
            written_off?: "true" | "false";
            merchant?: string;
            customer?: string;
            reference?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["OperatorCheckoutItem"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    createCheckout: {
        body: components["schemas"]["CheckoutOrder"];
        answer: components["schemas"]["OperatorCheckoutShown"];
    };
    getCheckoutOfAnybody: { path: { hash: string; }; answer: components["schemas"]["StaffCheckout"]; };
    getContractOfAnybody: { path: { hash: string; }; answer: undefined; };
    reinstateCheckout: {
        path: { hash: string; };
        body: components["schemas"]["WriteOffOrder"];
        answer: components["schemas"]["WriteOffState"];
    };
    returnCheckout: {
        path: { hash: string; };
        query?: { dry_run?: "true" | "false"; };
        body: components["schemas"]["ReturnOrder"];
        answer: components["schemas"]["OperatorReturn"];
    };
    writeOffCheckout: {
        path: { hash: string; };
        body: components["schemas"]["WriteOffOrder"];
        answer: components["schemas"]["WriteOffState"] | { approval: components["schemas"]["Approval"]; };
    };
    listCreditDecisions: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            customer?: string;
            outcome?: "approved" | "review" | "declined";
            moment?: "signup" | "accept" | "growth" | "late" | "review";
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["CreditDecisionItem"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    getCreditDecision: { path: { id: string; }; answer: components["schemas"]["CreditDecision"]; };
    approveCreditDecision: {
        path: { id: string; };
        body?: components["schemas"]["CreditApproval"];
        answer: components["schemas"]["CreditDecision"] | { approval: components["schemas"]["Approval"]; };
    };
    declineCreditDecision: {
        path: { id: string; };
        body: components["schemas"]["CreditRefusal"];
        answer: components["schemas"]["CreditDecision"];
    };
    getCreditPolicy: { answer: components["schemas"]["CreditPolicyInForce"]; };
    setCreditPolicy: {
        body: components["schemas"]["CreditPolicyForm"];
        answer: components["schemas"]["CreditPolicyInForce"] | {
            approval: components["schemas"]["Approval"];
        };
    };
    tryCreditPolicy: {
        body: components["schemas"]["CreditPolicyTry"];
        answer: components["schemas"]["CreditPolicyTried"];
    };
    listCreditPolicyVersions: {
        query?: components["schemas"]["ListQuery"];
        answer: {
            data: components["schemas"]["CreditPolicyVersion"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    listCustomers: {
        query?: components["schemas"]["ListQuery"] & {
            name?: string;
            q?: string;
            phone?: string;
            email?: string;
            cpf?: string;
            status?: "active" | "locked" | "erased" | "overdue";
        };
        answer: {
            data: components["schemas"]["CustomerItem"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createCustomer: {
        body: components["schemas"]["CustomerForm"];
        answer: components["schemas"]["OperatorCustomer"];
    };
    getCustomer: { path: { id: string; }; answer: components["schemas"]["OperatorCustomer"]; };
    changeCustomer: {
        path: { id: string; };
        body: components["schemas"]["CustomerChange"];
        answer: components["schemas"]["OperatorCustomer"] | { approval: components["schemas"]["Approval"]; };
    };
    eraseCustomer: {
        path: { id: string; };
        body: components["schemas"]["ErasureForm"];
        answer: components["schemas"]["OperatorCustomer"];
    };
    exportCustomer: { path: { id: string; }; answer: components["schemas"]["CustomerExport"]; };
    lockCustomer: {
        path: { id: string; };
        body?: components["schemas"]["ReasonForm"];
        answer: components["schemas"]["OperatorCustomer"];
    };
    listCustomerNotes: {
        path: { id: string; };
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["CustomerNote"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    writeCustomerNote: {
        path: { id: string; };
        body: components["schemas"]["CustomerNoteForm"];
        answer: components["schemas"]["CustomerNote"];
    };
    getOwedByCustomer: { path: { id: string; }; answer: components["schemas"]["Owed"]; };
    cancelPhoneChange: {
        path: { id: string; };
        body?: components["schemas"]["ReasonForm"];
        answer: components["schemas"]["OperatorCustomer"];
    };
    sendPhoneChangeCode: { path: { id: string; }; answer: components["schemas"]["CodeOnItsWay"]; };
    confirmPhoneChange: {
        path: { id: string; };
        body?: components["schemas"]["PhoneConfirmation"];
        answer: components["schemas"]["OperatorCustomer"];
    };
    listCustomerSessions: {
        path: { id: string; };
        answer: { data: components["schemas"]["CustomerSession"][]; };
    };
    endCustomerSession: {
        path: { id: string; session: string; };
        body?: components["schemas"]["ReasonForm"];
        answer: undefined;
    };
    endCustomerSessions: {
        path: { id: string; };
        body?: components["schemas"]["ReasonForm"];
        answer: undefined;
    };
    getCustomerStory: {
        path: { id: string; };
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["StoryLine"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    unlockCustomer: {
        path: { id: string; };
        body?: components["schemas"]["ReasonForm"];
        answer: components["schemas"]["OperatorCustomer"];
    };
    searchEvents: {
        query?: components["schemas"]["ListQuery"] & {
            type?: "lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid" | "webhook.disabled";
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffEvent"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    listFaqEntryForStaff: {
        query?: {
            page?: number;
            limit?: number;
            q?: string;
            topic?: string;
            listed?: "true" | "false";
            csv?: "plain" | "br";
        };
        answer: {
            data: components["schemas"]["StaffFaqEntry"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createFaqEntry: {
        body: {
            id: string;
            topic: string;
            question: string;
            answer: string;
            position?: number;
            listed?: boolean;
        };
        answer: components["schemas"]["StaffFaqEntry"];
    };
    getFaqEntryForStaff: { path: { id: string; }; answer: components["schemas"]["StaffFaqEntry"]; };
    changeFaqEntry: {
        path: { id: string; };
        body: { topic?: string; question?: string; answer?: string; position?: number; listed?: boolean; };
        answer: components["schemas"]["StaffFaqEntry"];
    };
    removeFaqEntry: { path: { id: string; }; answer: undefined; };
    getFourEyes: { answer: components["schemas"]["FourEyes"]; };
    importContent: {
        path: { kind: "categories" | "merchants" | "faq" | "posts"; };
        query?: { dry_run?: "true" | "false"; format?: "csv" | "jsonl"; encoding?: "utf-8" | "latin1"; };
        answer: components["schemas"]["ImportOutcome"];
    };
    listFailingJobs: {
        query?: components["schemas"]["ListQuery"];
        answer: {
            data: components["schemas"]["FailingJob"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    retryJob: { path: { id: string; }; answer: undefined; };
    listKeys: {
        query?: { page?: number; limit?: number; partner?: string; q?: string; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["ApiKeyItem"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createKey: {
        body: {
            partner: string;
            scopes: ("public" | "wallet" | "merchant" | "till")[];
            label?: string;
            merchant?: string;
            origins?: string[];
            return_origins?: string[];
            backend?: boolean;
            requests_per_minute?: number | null;
        };
        answer: components["schemas"]["NewApiKey"];
    };
    changeKey: {
        path: { id: string; };
        body: { return_origins: string[]; };
        answer: components["schemas"]["ApiKey"];
    };
    revokeKey: { path: { id: string; }; answer: components["schemas"]["ApiKey"]; };
    rotateKey: {
        path: { id: string; };
        body?: { overlap_hours?: number; };
        answer: components["schemas"]["NewApiKey"];
    };
    listLeads: {
        query?: components["schemas"]["ListQuery"] & {
            kind?: string;
            status?: "new" | "handled";
            q?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffLead"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    getLead: { path: { id: string; }; answer: components["schemas"]["StaffLead"]; };
    changeLead: {
        path: { id: string; };
        body: { status?: "new" | "handled"; note?: string | null; };
        answer: components["schemas"]["StaffLead"];
    };
    removeLead: { path: { id: string; }; answer: undefined; };
    makeMerchantOfLead: {
        path: { id: string; };
        body: components["schemas"]["LeadMerchantForm"];
        answer: components["schemas"]["LeadMerchant"];
    };
    getStaffMe: { answer: components["schemas"]["StaffMe"]; };
    listSavedViews: { query?: { list?: string; }; answer: { data: components["schemas"]["SavedView"][]; }; };
    saveView: { body: components["schemas"]["SavedViewForm"]; answer: components["schemas"]["SavedView"]; };
    removeSavedView: { path: { id: string; }; answer: undefined; };
    listMedia: {
        query?: { page?: number; limit?: number; unused?: "true"; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["Media"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    addMedia: { answer: components["schemas"]["Media"]; };
    getMediaOfStaff: { path: { name: string; }; answer: Uint8Array; };
    removeMedia: { path: { name: string; }; answer: undefined; };
    listMerchantForStaff: {
        query?: {
            page?: number;
            limit?: number;
            q?: string;
            category?: string;
            listed?: "true" | "false";
            sort?: "newest" | "oldest";
            csv?: "plain" | "br";
        };
        answer: {
            data: components["schemas"]["StaffMerchant"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createMerchant: {
        body: {
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
        answer: components["schemas"]["StaffMerchant"];
    };
    getMerchantForStaff: { path: { slug: string; }; answer: components["schemas"]["StaffMerchant"]; };
    changeMerchant: {
        path: { slug: string; };
        body: {
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
        answer: components["schemas"]["StaffMerchant"];
    };
    removeMerchant: { path: { slug: string; }; answer: undefined; };
    setMerchantLogo: { path: { slug: string; }; answer: components["schemas"]["StaffMerchant"]; };
    listMerchantMembers: {
        path: { slug: string; };
        query?: { page?: number; limit?: number; removed?: "true" | "false"; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["MerchantMember"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    addMerchantMember: {
        path: { slug: string; };
        body: components["schemas"]["MemberForm"];
        answer: components["schemas"]["MerchantMember"];
    };
    removeMerchantMember: { path: { slug: string; id: string; }; answer: undefined; };
    getPayoutAccount: { path: { slug: string; }; answer: components["schemas"]["PayoutAccount"]; };
    setPayoutAccount: {
        path: { slug: string; };
        body: components["schemas"]["PayoutAccountForm"];
        answer: components["schemas"]["PayoutAccount"] | { approval: components["schemas"]["Approval"]; };
    };
    stopPayoutAccountChange: { path: { slug: string; }; answer: components["schemas"]["PayoutAccount"]; };
    listMessageTemplates: {
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["MessageTemplate"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    listStaffMessages: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            customer?: string;
            checkout?: string;
            status?: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
            channel?: "whatsapp" | "sms" | "email" | "push";
            template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffMessage"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    resendMessage: { path: { id: string; }; answer: components["schemas"]["StaffMessage"]; };
    sendTestMessage: {
        body: {
            channel: "sms" | "whatsapp" | "email";
            to: string;
            template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
        };
        answer: { channel: "sms" | "whatsapp" | "email"; provider_id: string | null; text: string; };
    };
    listNodes: { answer: { data: components["schemas"]["ServiceNode"][]; }; };
    listOffersOfAll: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            merchant?: string;
            customer?: string;
            reference?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffOfferItem"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    createOfferForMerchant: {
        body: components["schemas"]["StaffOfferOrder"];
        answer: components["schemas"]["StaffOffer"];
    };
    getOfferOfAnybody: { path: { id: string; }; answer: components["schemas"]["StaffOffer"]; };
    cancelOfferOfAnybody: { path: { id: string; }; answer: components["schemas"]["StaffOfferItem"]; };
    listPartners: {
        query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["Partner"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createPartner: { body: { name: string; }; answer: components["schemas"]["Partner"]; };
    listPayouts: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "pending" | "paid" | "failed";
            merchant?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffPayoutItem"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    createPayouts: {
        body?: components["schemas"]["PayoutBatch"];
        answer: {
            data: components["schemas"]["Payout"][];
        } | { approval: components["schemas"]["Approval"]; };
    };
    getPayout: {
        path: { id: string; };
        query?: { page?: number; limit?: number; };
        answer: components["schemas"]["PayoutWithLines"];
    };
    markPayoutFailed: {
        path: { id: string; };
        body: components["schemas"]["PayoutFailed"];
        answer: components["schemas"]["Payout"];
    };
    markPayoutPaid: {
        path: { id: string; };
        body: components["schemas"]["PayoutPaid"];
        answer: components["schemas"]["Payout"];
    };
    markPayoutsByFile: {
        query?: { dry_run?: "true" | "false"; format?: "csv" | "cnab240"; encoding?: "utf-8" | "latin1"; };
        answer: components["schemas"]["ReturnFileOutcome"];
    };
    listPixCharges: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "pending" | "paid" | "expired" | "cancelled";
            type?: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffPixChargeItem"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixCharge: { path: { id: string; }; answer: components["schemas"]["StaffPixChargeItem"]; };
    listPixDiscrepancies: {
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
        answer: {
            data: components["schemas"]["PixDiscrepancy"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    listPixOrphans: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "open" | "asked" | "processing" | "returned";
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["PixOrphan"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixOrphan: { path: { id: string; }; answer: components["schemas"]["PixOrphanShown"]; };
    assignPixOrphan: {
        path: { id: string; };
        body: components["schemas"]["OrphanAssignment"];
        answer: components["schemas"]["AssignedOrphan"];
    };
    refundPixOrphan: {
        path: { id: string; };
        answer: components["schemas"]["PixOrphan"] | { approval: components["schemas"]["Approval"]; };
    };
    listPixPaymentItems: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            end_to_end_id?: string;
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["PixPaymentItem"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixPayment: { path: { id: string; }; answer: components["schemas"]["PixPaymentWithRefunds"]; };
    movePixPayment: {
        path: { id: string; };
        body: components["schemas"]["PaymentMove"];
        answer: components["schemas"]["MovedPayment"] | { approval: components["schemas"]["Approval"]; };
    };
    listPixRefundItems: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["PixRefundItem"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixRefund: { path: { id: string; }; answer: components["schemas"]["PixRefundItem"]; };
    retryPixRefund: {
        path: { id: string; };
        answer: { asked: number; refund: components["schemas"]["PixRefund"]; };
    };
    previewPost: { body: { body: string; }; answer: { body_html: string; }; };
    listPostForStaff: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "draft" | "scheduled" | "published";
        };
        answer: {
            data: components["schemas"]["StaffPost"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createPost: {
        body: {
            slug: string;
            title: string;
            summary: string;
            author: string;
            body: string;
            cover_url?: string | null;
            tags?: string[];
            published_at?: string | null;
        };
        answer: components["schemas"]["StaffPost"];
    };
    getPostForStaff: { path: { slug: string; }; answer: components["schemas"]["StaffPost"]; };
    changePost: {
        path: { slug: string; };
        body: {
            title?: string;
            summary?: string;
            author?: string;
            body?: string;
            cover_url?: string | null;
            tags?: string[];
            published_at?: string | null;
        };
        answer: components["schemas"]["StaffPost"];
    };
    removePost: { path: { slug: string; }; answer: undefined; };
    setPostCover: { path: { slug: string; }; answer: components["schemas"]["StaffPost"]; };
    listReferrals: {
        query?: components["schemas"]["ListQuery"] & {
            status?: "registered" | "rewarded" | "expired";
            referrer?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffReferral"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    addReferral: {
        body: components["schemas"]["ReferralOrder"];
        answer: components["schemas"]["StaffReferral"];
    };
    getReferralOfCustomer: { path: { id: string; }; answer: components["schemas"]["StaffReferral"]; };
    getAgingReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["AgingReport"];
    };
    getAutopayReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["AutopayReport"];
    };
    getCashbackReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["CashbackReport"];
    };
    getCohortsReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["CohortsReport"];
    };
    getIncomeReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["IncomeReport"];
    };
    getMerchantsReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["MerchantsReport"];
    };
    getMessagesReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["MessagesReport"];
    };
    getPixReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["PixReport"];
    };
    getPortfolioReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["PortfolioReport"];
    };
    getRefusalsReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["RefusalsReport"];
    };
    getRemindersReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["RemindersReport"];
    };
    getWeeklyReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: components["schemas"]["WeeklyReport"];
    };
    listReturnsThatWaited: {
        query?: components["schemas"]["ListQuery"] & {
            q?: string;
            status?: "waiting" | "made" | "refused";
            merchant?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: components["schemas"]["StaffWaitingReturn"][];
            pagination: components["schemas"]["ListPagination"];
            totals?: { amount: number; };
        };
    };
    approveReturn: { path: { id: string; }; answer: components["schemas"]["StaffWaitingReturn"]; };
    refuseReturn: {
        path: { id: string; };
        body: components["schemas"]["ReturnRefusal"];
        answer: components["schemas"]["StaffWaitingReturn"];
    };
    searchEverything: { query: { q: string; }; answer: { data: components["schemas"]["SearchHit"][]; }; };
    listSettings: { answer: { data: components["schemas"]["SettingInForce"][]; }; };
    listStaff: {
        query?: {
            page?: number;
            limit?: number;
            q?: string;
            removed?: "true" | "false";
            csv?: "plain" | "br";
        };
        answer: {
            data: components["schemas"]["StaffMember"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    addStaffMember: {
        body: { name: string; role: "viewer" | "content" | "support" | "finance" | "admin"; };
        answer: components["schemas"]["NewStaffMember"];
    };
    getStaffMember: { path: { id: string; }; answer: components["schemas"]["StaffMember"]; };
    changeStaffMember: {
        path: { id: string; };
        body: { name?: string; role?: "viewer" | "content" | "support" | "finance" | "admin"; };
        answer: components["schemas"]["StaffMember"];
    };
    removeStaffMember: { path: { id: string; }; answer: undefined; };
    inviteStaffMember: { path: { id: string; }; answer: components["schemas"]["StaffInvited"]; };
    showToday: { answer: components["schemas"]["Today"]; };
    listWebhooks: {
        query?: components["schemas"]["ListQuery"] & { partner?: string; status?: "enabled" | "disabled"; };
        answer: {
            data: components["schemas"]["WebhookEndpoint"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    createWebhook: {
        body: components["schemas"]["WebhookOrder"];
        answer: components["schemas"]["WebhookEndpointWithSecret"];
    };
    getWebhook: { path: { id: string; }; answer: components["schemas"]["WebhookEndpoint"]; };
    listWebhookDeliveries: {
        path: { id: string; };
        query?: components["schemas"]["ListQuery"] & { status?: "pending" | "delivered" | "failed"; };
        answer: {
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    disableWebhook: { path: { id: string; }; answer: components["schemas"]["WebhookEndpoint"]; };
    enableWebhook: { path: { id: string; }; answer: components["schemas"]["WebhookEndpoint"]; };
    replayWebhook: {
        path: { id: string; };
        body: {
            event: string;
        } | { since: string; };
        answer: { replayed: number; };
    };
    rotateWebhookSecret: {
        path: { id: string; };
        body?: { overlap_hours?: number; };
        answer: components["schemas"]["WebhookEndpointWithSecret"];
    };
    testWebhook: { path: { id: string; }; answer: components["schemas"]["WebhookDelivery"]; };
    acceptInvitation: {
        body: { token: string; email: string; password: string; };
        answer: components["schemas"]["StaffEntered"];
    };
    listFactors: { answer: components["schemas"]["StaffFactors"]; };
    removeFactor: { path: { id: string; }; answer: undefined; };
    readInvitation: { body: { token: string; }; answer: components["schemas"]["StaffInvitation"]; };
    signInStaff: {
        body: components["schemas"]["StaffLogin"];
        answer: components["schemas"]["StaffEntered"];
    };
    signOutStaff: { answer: undefined; };
    askForPasskey: {
        body: { purpose: "sign_in" | "new"; };
        answer: components["schemas"]["PasskeyOptions"];
    };
    addPasskey: {
        body: { name: string; passkey: Record<string, never>; };
        answer: components["schemas"]["FactorAdded"];
    };
    giveSecondFactor: {
        body: { code?: string; passkey?: Record<string, never>; };
        answer: components["schemas"]["StaffProven"];
    };
    listStaffSessions: { answer: { data: components["schemas"]["StaffSession"][]; }; };
    endStaffSession: { path: { id: string; }; answer: undefined; };
    endOtherStaffSessions: { answer: undefined; };
    proposeTotp: { answer: components["schemas"]["NewTotp"]; };
    confirmTotp: { body: { code: string; }; answer: components["schemas"]["FactorAdded"]; };
    authoriseAutopay: { path: { id: string; }; answer: components["schemas"]["SandboxAutopay"]; };
    cancelAutopay: { path: { id: string; }; answer: components["schemas"]["SandboxAutopay"]; };
    refuseAutopay: { path: { id: string; }; answer: components["schemas"]["SandboxAutopay"]; };
    askSandboxBureau: { body: { cpf: string; }; answer: { score: unknown; cpf_status?: unknown; }; };
    getClock: { answer: components["schemas"]["ClockReading"]; };
    moveClock: { body: components["schemas"]["ClockMove"]; answer: components["schemas"]["ClockReading"]; };
    resetClock: { answer: components["schemas"]["ClockReading"]; };
    listMessages: {
        query?: components["schemas"]["ListQuery"] & { phone?: string; email?: string; };
        answer: {
            data: components["schemas"]["SandboxMessage"][];
            pagination: components["schemas"]["ListPagination"];
        };
    };
    payCharge: {
        path: { txid: string; };
        body?: { value?: number; at?: string; force?: boolean; };
        answer: components["schemas"]["SandboxPayment"];
    };
    reversePayment: {
        path: { txid: string; };
        body?: { value?: number; };
        answer: components["schemas"]["SandboxReversal"];
    };
    showPspPage: { answer: undefined; };
    listPspDeliveries: { answer: { data: components["schemas"]["PspDelivery"][]; }; };
    getPspFaults: { answer: components["schemas"]["PspFaults"]; };
    setPspFaults: { body: components["schemas"]["PspFaults"]; answer: components["schemas"]["PspFaults"]; };
    scanBrCode: { body: { br_code: string; }; answer: components["schemas"]["ScannedCharge"]; };
    resetSandbox: { answer: components["schemas"]["ResetDone"]; };
    enterAsRole: {
        body: { role: "viewer" | "content" | "support" | "finance" | "admin"; };
        answer: components["schemas"]["StaffEntered"];
    };
}
