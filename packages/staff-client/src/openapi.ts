// Made by 'npm run generate' from openapi.json.
import type { Schemas } from './openapi-schemas.ts';

export interface operations {
    listKeys: {
        query?: { page?: number; limit?: number; partner?: string; q?: string; csv?: "plain" | "br"; };
        answer: { data: Schemas["ApiKeyItem"][]; pagination: Schemas["ListPagination"]; };
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
        answer: Schemas["NewApiKey"];
    };
    changeKey: { path: { id: string; }; body: { return_origins: string[]; }; answer: Schemas["ApiKey"]; };
    revokeKey: { path: { id: string; }; answer: Schemas["ApiKey"]; };
    rotateKey: { path: { id: string; }; body?: { overlap_hours?: number; }; answer: Schemas["NewApiKey"]; };
    listPartners: {
        query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
        answer: { data: Schemas["Partner"][]; pagination: Schemas["ListPagination"]; };
    };
    createPartner: { body: { name: string; }; answer: Schemas["Partner"]; };
    listAuditTrail: {
        query?: Schemas["ListQuery"] & {
            actor?: string;
            subject?: string;
            since?: string;
            from?: string;
            to?: string;
        };
        answer: { data: Schemas["AuditTrailEntry"][]; pagination: Schemas["ListPagination"]; };
    };
    getStaffMe: { answer: Schemas["StaffMe"]; };
    listOwnKeys: { answer: { data: Schemas["StaffKey"][]; }; };
    createOwnKey: { body: { label: string; }; answer: Schemas["NewStaffKey"]; };
    revokeOwnKey: { path: { id: string; }; answer: undefined; };
    listSavedViews: { query?: { list?: string; }; answer: { data: Schemas["SavedView"][]; }; };
    saveView: { body: Schemas["SavedViewForm"]; answer: Schemas["SavedView"]; };
    removeSavedView: { path: { id: string; }; answer: undefined; };
    listStaff: {
        query?: {
            page?: number;
            limit?: number;
            q?: string;
            removed?: "true" | "false";
            csv?: "plain" | "br";
        };
        answer: { data: Schemas["StaffMember"][]; pagination: Schemas["ListPagination"]; };
    };
    addStaffMember: {
        body: { name: string; role: "viewer" | "content" | "support" | "risk" | "finance" | "admin"; };
        answer: Schemas["NewStaffMember"] | { approval: Schemas["Approval"]; };
    };
    getStaffMember: { path: { id: string; }; answer: Schemas["StaffMemberWithApproval"]; };
    changeStaffMember: {
        path: { id: string; };
        body: { name?: string; role?: "viewer" | "content" | "support" | "risk" | "finance" | "admin"; };
        answer: Schemas["StaffMember"] | { approval: Schemas["Approval"]; };
    };
    removeStaffMember: { path: { id: string; }; answer: undefined; };
    inviteStaffMember: { path: { id: string; }; answer: Schemas["StaffInvited"]; };
    acceptInvitation: {
        body: { token: string; email: string; password: string; };
        answer: Schemas["StaffEntered"];
    };
    listFactors: { answer: Schemas["StaffFactors"]; };
    removeFactor: { path: { id: string; }; answer: undefined; };
    readInvitation: { body: { token: string; }; answer: Schemas["StaffInvitation"]; };
    signInStaff: { body: Schemas["StaffLogin"]; answer: Schemas["StaffEntered"]; };
    signOutStaff: { answer: undefined; };
    askForPasskey: { body: { purpose: "sign_in" | "new"; }; answer: Schemas["PasskeyOptions"]; };
    addPasskey: { body: { name: string; passkey: Record<string, never>; }; answer: Schemas["FactorAdded"]; };
    giveSecondFactor: {
        body: { code?: string; passkey?: Record<string, never>; };
        answer: Schemas["StaffProven"];
    };
    listStaffSessions: { answer: { data: Schemas["StaffSession"][]; }; };
    endStaffSession: { path: { id: string; }; answer: undefined; };
    endOtherStaffSessions: { answer: undefined; };
    proposeTotp: { answer: Schemas["NewTotp"]; };
    confirmTotp: { body: { code: string; }; answer: Schemas["FactorAdded"]; };
    listApprovals: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "waiting" | "approved" | "refused" | "failed" | "expired";
            kind?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: Schemas["Approval"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getApproval: { path: { id: string; }; answer: Schemas["Approval"]; };
    approveAct: { path: { id: string; }; answer: Schemas["ApprovedAct"]; };
    refuseAct: { path: { id: string; }; body: Schemas["ApprovalRefusal"]; answer: Schemas["Approval"]; };
    getFourEyes: { answer: Schemas["FourEyes"]; };
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
        answer: { data: Schemas["StaffMerchant"][]; pagination: Schemas["ListPagination"]; };
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
        answer: Schemas["StaffMerchant"];
    };
    getMerchantForStaff: { path: { slug: string; }; answer: Schemas["StaffMerchantWithApproval"]; };
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
        answer: Schemas["StaffMerchant"];
    };
    removeMerchant: { path: { slug: string; }; answer: undefined; };
    setMerchantLogo: { path: { slug: string; }; answer: Schemas["StaffMerchant"]; };
    listMerchantMembers: {
        path: { slug: string; };
        query?: {
            page?: number;
            limit?: number;
            removed?: "true" | "false";
            csv?: "plain" | "br";
            reason?: string;
        };
        answer: { data: Schemas["MerchantMember"][]; pagination: Schemas["ListPagination"]; };
    };
    addMerchantMember: {
        path: { slug: string; };
        body: Schemas["MemberForm"];
        answer: Schemas["MerchantMember"] | { approval: Schemas["Approval"]; };
    };
    removeMerchantMember: { path: { slug: string; id: string; }; answer: undefined; };
    listCategoryForStaff: {
        query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
        answer: { data: Schemas["StaffCategory"][]; pagination: Schemas["ListPagination"]; };
    };
    createCategory: { body: { slug: string; name: string; }; answer: Schemas["StaffCategory"]; };
    getCategoryForStaff: { path: { slug: string; }; answer: Schemas["StaffCategory"]; };
    changeCategory: { path: { slug: string; }; body: { name: string; }; answer: Schemas["StaffCategory"]; };
    removeCategory: { path: { slug: string; }; answer: undefined; };
    listFaqEntryForStaff: {
        query?: {
            page?: number;
            limit?: number;
            q?: string;
            topic?: string;
            listed?: "true" | "false";
            csv?: "plain" | "br";
        };
        answer: { data: Schemas["StaffFaqEntry"][]; pagination: Schemas["ListPagination"]; };
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
        answer: Schemas["StaffFaqEntry"];
    };
    getFaqEntryForStaff: { path: { id: string; }; answer: Schemas["StaffFaqEntry"]; };
    changeFaqEntry: {
        path: { id: string; };
        body: { topic?: string; question?: string; answer?: string; position?: number; listed?: boolean; };
        answer: Schemas["StaffFaqEntry"];
    };
    removeFaqEntry: { path: { id: string; }; answer: undefined; };
    importContent: {
        path: { kind: "categories" | "merchants" | "faq" | "posts"; };
        query?: { dry_run?: "true" | "false"; format?: "csv" | "jsonl"; encoding?: "utf-8" | "latin1"; };
        answer: Schemas["ImportOutcome"];
    };
    listMedia: {
        query?: { page?: number; limit?: number; unused?: "true"; csv?: "plain" | "br"; };
        answer: { data: Schemas["Media"][]; pagination: Schemas["ListPagination"]; };
    };
    addMedia: { answer: Schemas["Media"]; };
    getMediaOfStaff: { path: { name: string; }; answer: Uint8Array; };
    removeMedia: { path: { name: string; }; answer: undefined; };
    previewPost: { body: { body: string; }; answer: { body_html: string; }; };
    listPostForStaff: {
        query?: Schemas["ListQuery"] & { q?: string; status?: "draft" | "scheduled" | "published"; };
        answer: { data: Schemas["StaffPost"][]; pagination: Schemas["ListPagination"]; };
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
        answer: Schemas["StaffPost"];
    };
    getPostForStaff: { path: { slug: string; }; answer: Schemas["StaffPost"]; };
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
        answer: Schemas["StaffPost"];
    };
    removePost: { path: { slug: string; }; answer: undefined; };
    setPostCover: { path: { slug: string; }; answer: Schemas["StaffPost"]; };
    listLeads: {
        query?: Schemas["ListQuery"] & {
            kind?: string;
            status?: "new" | "handled";
            from?: string;
            to?: string;
            q?: string;
        };
        answer: { data: Schemas["StaffLead"][]; pagination: Schemas["ListPagination"]; };
    };
    getLead: { path: { id: string; }; answer: Schemas["StaffLeadWithApproval"]; };
    changeLead: {
        path: { id: string; };
        body: { status?: "new" | "handled"; note?: string | null; };
        answer: Schemas["StaffLead"];
    };
    removeLead: { path: { id: string; }; answer: undefined; };
    makeMerchantOfLead: {
        path: { id: string; };
        body: Schemas["LeadMerchantForm"];
        answer: Schemas["LeadMerchant"] | { approval: Schemas["Approval"]; };
    };
    listMessageTemplates: {
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
        answer: { data: Schemas["MessageTemplate"][]; pagination: Schemas["ListPagination"]; };
    };
    listStaffMessages: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            customer?: string;
            checkout?: string;
            status?: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
            channel?: "whatsapp" | "sms" | "email" | "push";
            template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: { data: Schemas["StaffMessage"][]; pagination: Schemas["ListPagination"]; };
    };
    resendMessage: { path: { id: string; }; answer: Schemas["StaffMessage"]; };
    sendTestMessage: {
        body: {
            channel: "sms" | "whatsapp" | "email";
            to: string;
            template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
        };
        answer: { channel: "sms" | "whatsapp" | "email"; provider_id: string | null; text: string; };
    };
    listAgreements: {
        query?: Schemas["ListQuery"] & { kind?: "terms" | "privacy"; };
        answer: { data: Schemas["StaffAgreement"][]; pagination: Schemas["ListPagination"]; };
    };
    publishAgreement: {
        body: {
            kind: "terms" | "privacy";
            version: string;
            sections?: { title: string; text: string; }[];
            text?: string;
        };
        answer: Schemas["StaffAgreement"];
    };
    listCreditDecisions: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            customer?: string;
            outcome?: "approved" | "review" | "declined";
            moment?: "signup" | "accept" | "growth" | "late" | "review";
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: { data: Schemas["CreditDecisionItem"][]; pagination: Schemas["ListPagination"]; };
    };
    getCreditDecision: { path: { id: string; }; answer: Schemas["CreditDecision"]; };
    approveCreditDecision: {
        path: { id: string; };
        body?: Schemas["CreditApproval"];
        answer: Schemas["CreditDecision"] | { approval: Schemas["Approval"]; };
    };
    declineCreditDecision: {
        path: { id: string; };
        body: Schemas["CreditRefusal"];
        answer: Schemas["CreditDecision"];
    };
    getCreditPolicy: { answer: Schemas["CreditPolicyInForceWithApproval"]; };
    setCreditPolicy: {
        body: Schemas["CreditPolicyForm"];
        answer: Schemas["CreditPolicyInForce"] | { approval: Schemas["Approval"]; };
    };
    tryCreditPolicy: { body: Schemas["CreditPolicyTry"]; answer: Schemas["CreditPolicyTried"]; };
    listCreditPolicyVersions: {
        query?: Schemas["ListQuery"];
        answer: { data: Schemas["CreditPolicyVersion"][]; pagination: Schemas["ListPagination"]; };
    };
    listCustomers: {
        query?: Schemas["ListQuery"] & {
            name?: string;
            q?: string;
            phone?: string;
            email?: string;
            cpf?: string;
            status?: "active" | "locked" | "erased" | "overdue";
            reason?: string;
        };
        answer: { data: Schemas["CustomerItem"][]; pagination: Schemas["ListPagination"]; };
    };
    createCustomer: {
        body: Schemas["CustomerForm"];
        answer: Schemas["OperatorCustomer"] | { approval: Schemas["Approval"]; };
    };
    getCustomer: { path: { id: string; }; answer: Schemas["OperatorCustomerWithApproval"]; };
    changeCustomer: {
        path: { id: string; };
        body: Schemas["CustomerChange"];
        answer: Schemas["OperatorCustomer"] | { approval: Schemas["Approval"]; };
    };
    eraseCustomer: {
        path: { id: string; };
        body: Schemas["ErasureForm"];
        answer: Schemas["OperatorCustomer"];
    };
    exportCustomer: { path: { id: string; }; answer: Schemas["CustomerExport"]; };
    lockCustomer: {
        path: { id: string; };
        body?: Schemas["ReasonForm"];
        answer: Schemas["OperatorCustomer"];
    };
    listCustomerNotes: {
        path: { id: string; };
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; reason?: string; };
        answer: { data: Schemas["CustomerNote"][]; pagination: Schemas["ListPagination"]; };
    };
    writeCustomerNote: {
        path: { id: string; };
        body: Schemas["CustomerNoteForm"];
        answer: Schemas["CustomerNote"];
    };
    getOwedByCustomer: { path: { id: string; }; answer: Schemas["Owed"]; };
    cancelPhoneChange: {
        path: { id: string; };
        body?: Schemas["ReasonForm"];
        answer: Schemas["OperatorCustomer"];
    };
    sendPhoneChangeCode: { path: { id: string; }; answer: Schemas["CodeOnItsWay"]; };
    confirmPhoneChange: {
        path: { id: string; };
        body?: Schemas["PhoneConfirmation"];
        answer: Schemas["OperatorCustomer"];
    };
    listCustomerSessions: { path: { id: string; }; answer: { data: Schemas["CustomerSession"][]; }; };
    endCustomerSession: {
        path: { id: string; session: string; };
        body?: Schemas["ReasonForm"];
        answer: undefined;
    };
    endCustomerSessions: { path: { id: string; }; body?: Schemas["ReasonForm"]; answer: undefined; };
    getCustomerStory: {
        path: { id: string; };
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
        answer: { data: Schemas["StoryLine"][]; pagination: Schemas["ListPagination"]; };
    };
    unlockCustomer: {
        path: { id: string; };
        body?: Schemas["ReasonForm"];
        answer: Schemas["OperatorCustomer"];
    };
    listCheckoutsOfAll: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "open" | "overdue" | "paid";
            days_late?: "1-7" | "8-30" | "31-90" | "90+";
            written_off?: "true" | "false";
            merchant?: string;
            customer?: string;
            reference?: string;
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: {
            data: Schemas["OperatorCheckoutItem"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    createCheckout: { body: Schemas["CheckoutOrder"]; answer: Schemas["OperatorCheckoutShown"]; };
    getCheckoutOfAnybody: { path: { hash: string; }; answer: Schemas["StaffCheckoutWithApproval"]; };
    getContractOfAnybody: { path: { hash: string; }; answer: Schemas["Contract"]; };
    reinstateCheckout: {
        path: { hash: string; };
        body: Schemas["WriteOffOrder"];
        answer: Schemas["WriteOffState"];
    };
    returnCheckout: {
        path: { hash: string; };
        query?: { dry_run?: "true" | "false"; };
        body: Schemas["ReturnOrder"];
        answer: Schemas["OperatorReturn"] | { approval: Schemas["Approval"]; };
    };
    writeOffCheckout: {
        path: { hash: string; };
        body: Schemas["WriteOffOrder"];
        answer: Schemas["WriteOffState"] | { approval: Schemas["Approval"]; };
    };
    listOffersOfAll: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            merchant?: string;
            customer?: string;
            reference?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: Schemas["StaffOfferItem"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    createOfferForMerchant: { body: Schemas["StaffOfferOrder"]; answer: Schemas["StaffOffer"]; };
    getOfferOfAnybody: { path: { id: string; }; answer: Schemas["StaffOffer"]; };
    cancelOfferOfAnybody: { path: { id: string; }; answer: Schemas["StaffOfferItem"]; };
    listReturnsThatWaited: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "waiting" | "made" | "refused";
            merchant?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: Schemas["StaffWaitingReturn"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    approveReturn: { path: { id: string; }; answer: Schemas["StaffWaitingReturn"]; };
    refuseReturn: {
        path: { id: string; };
        body: Schemas["ReturnRefusal"];
        answer: Schemas["StaffWaitingReturn"];
    };
    listPixCharges: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "pending" | "paid" | "expired" | "cancelled";
            type?: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: {
            data: Schemas["StaffPixChargeItem"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixCharge: { path: { id: string; }; answer: Schemas["StaffPixChargeItem"]; };
    listPixDiscrepancies: {
        query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
        answer: { data: Schemas["PixDiscrepancy"][]; pagination: Schemas["ListPagination"]; };
    };
    listPixOrphans: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "open" | "asked" | "processing" | "returned";
            from?: string;
            to?: string;
        };
        answer: {
            data: Schemas["PixOrphan"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixOrphan: { path: { id: string; }; answer: Schemas["PixOrphanShownWithApproval"]; };
    assignPixOrphan: {
        path: { id: string; };
        body: Schemas["OrphanAssignment"];
        answer: Schemas["AssignedOrphan"];
    };
    refundPixOrphan: {
        path: { id: string; };
        answer: Schemas["PixOrphan"] | { approval: Schemas["Approval"]; };
    };
    listPixPaymentItems: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            end_to_end_id?: string;
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: {
            data: Schemas["PixPaymentItem"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixPayment: { path: { id: string; }; answer: Schemas["PixPaymentWithRefundsWithApproval"]; };
    movePixPayment: {
        path: { id: string; };
        body: Schemas["PaymentMove"];
        answer: Schemas["MovedPayment"] | { approval: Schemas["Approval"]; };
    };
    listPixRefundItems: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: {
            data: Schemas["PixRefundItem"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getPixRefund: { path: { id: string; }; answer: Schemas["PixRefundItem"]; };
    retryPixRefund: { path: { id: string; }; answer: { asked: number; refund: Schemas["PixRefund"]; }; };
    listAutopay: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "pending" | "active" | "rejected" | "expired" | "ended";
            customer?: string;
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: { data: Schemas["StaffAutopay"][]; pagination: Schemas["ListPagination"]; };
    };
    listDebits: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "scheduled" | "trying" | "paid" | "failed" | "withdrawn";
            customer?: string;
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: {
            data: Schemas["StaffDebit"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    listCashbackOfAll: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            kind?: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            customer?: string;
            from?: string;
            to?: string;
            reason?: string;
        };
        answer: {
            data: Schemas["StaffCashbackItem"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    getCashbackOfCustomer: { path: { id: string; }; answer: Schemas["StaffCashbackShown"]; };
    adjustCashback: {
        path: { id: string; };
        body: Schemas["CashbackAdjustment"];
        answer: Schemas["StaffCashback"] | { approval: Schemas["Approval"]; };
    };
    listReferrals: {
        query?: Schemas["ListQuery"] & {
            status?: "registered" | "held" | "rewarded" | "refused" | "expired";
            referrer?: string;
            from?: string;
            to?: string;
        };
        answer: { data: Schemas["StaffReferral"][]; pagination: Schemas["ListPagination"]; };
    };
    addReferral: { body: Schemas["ReferralOrder"]; answer: Schemas["StaffReferral"]; };
    getReferralOfCustomer: { path: { id: string; }; answer: Schemas["StaffReferral"]; };
    approveReferralReward: { path: { id: string; }; answer: Schemas["StaffReferral"]; };
    refuseReferralReward: {
        path: { id: string; };
        body: Schemas["RewardDecisionForm"];
        answer: Schemas["StaffReferral"];
    };
    getPayoutAccount: { path: { slug: string; }; answer: Schemas["PayoutAccount"]; };
    setPayoutAccount: {
        path: { slug: string; };
        body: Schemas["PayoutAccountForm"];
        answer: Schemas["PayoutAccount"] | { approval: Schemas["Approval"]; };
    };
    stopPayoutAccountChange: { path: { slug: string; }; answer: Schemas["PayoutAccount"]; };
    listPayouts: {
        query?: Schemas["ListQuery"] & {
            q?: string;
            status?: "pending" | "paid" | "failed";
            merchant?: string;
            from?: string;
            to?: string;
        };
        answer: {
            data: Schemas["StaffPayoutItem"][];
            pagination: Schemas["ListPagination"];
            totals?: { amount: number; };
        };
    };
    createPayouts: {
        body?: Schemas["PayoutBatch"];
        answer: {
            data: Schemas["Payout"][];
        } | { approval: Schemas["Approval"]; };
    };
    getPayout: {
        path: { id: string; };
        query?: { page?: number; limit?: number; };
        answer: Schemas["PayoutWithLines"];
    };
    markPayoutFailed: { path: { id: string; }; body: Schemas["PayoutFailed"]; answer: Schemas["Payout"]; };
    markPayoutPaid: { path: { id: string; }; body: Schemas["PayoutPaid"]; answer: Schemas["Payout"]; };
    markPayoutsByFile: {
        query?: { dry_run?: "true" | "false"; format?: "csv" | "cnab240"; encoding?: "utf-8" | "latin1"; };
        answer: Schemas["ReturnFileOutcome"];
    };
    searchEvents: {
        query?: Schemas["ListQuery"] & {
            type?: "lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid" | "webhook.disabled";
            customer?: string;
            checkout?: string;
            from?: string;
            to?: string;
        };
        answer: { data: Schemas["StaffEvent"][]; pagination: Schemas["ListPagination"]; };
    };
    listWebhooks: {
        query?: Schemas["ListQuery"] & { partner?: string; status?: "enabled" | "disabled"; };
        answer: { data: Schemas["WebhookEndpoint"][]; pagination: Schemas["ListPagination"]; };
    };
    createWebhook: { body: Schemas["WebhookOrder"]; answer: Schemas["WebhookEndpointWithSecret"]; };
    getWebhook: { path: { id: string; }; answer: Schemas["WebhookEndpoint"]; };
    listWebhookDeliveries: {
        path: { id: string; };
        query?: Schemas["ListQuery"] & { status?: "pending" | "delivered" | "failed"; };
        answer: { data: Schemas["WebhookDelivery"][]; pagination: Schemas["ListPagination"]; };
    };
    getWebhookDelivery: {
        path: { id: string; delivery: string; };
        answer: Schemas["WebhookDeliveryDetails"];
    };
    resendWebhookDelivery: { path: { id: string; delivery: string; }; answer: Schemas["WebhookDelivery"]; };
    disableWebhook: { path: { id: string; }; answer: Schemas["WebhookEndpoint"]; };
    enableWebhook: { path: { id: string; }; answer: Schemas["WebhookEndpoint"]; };
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
        answer: Schemas["WebhookEndpointWithSecret"];
    };
    testWebhook: { path: { id: string; }; answer: Schemas["WebhookDelivery"]; };
    getAgingReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["AgingReport"]; };
    getAutopayReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["AutopayReport"]; };
    getCashbackReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["CashbackReport"]; };
    getCohortsReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["CohortsReport"]; };
    getIncomeReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["IncomeReport"]; };
    getMerchantsReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: Schemas["MerchantsReport"];
    };
    getMessagesReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["MessagesReport"]; };
    getPixReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["PixReport"]; };
    getPortfolioReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: Schemas["PortfolioReport"];
    };
    getRefusalsReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["RefusalsReport"]; };
    getRemindersReport: {
        query?: { on?: string; csv?: "plain" | "br"; };
        answer: Schemas["RemindersReport"];
    };
    getWeeklyReport: { query?: { on?: string; csv?: "plain" | "br"; }; answer: Schemas["WeeklyReport"]; };
    listFailingJobs: {
        query?: Schemas["ListQuery"];
        answer: { data: Schemas["FailingJob"][]; pagination: Schemas["ListPagination"]; };
    };
    retryJob: { path: { id: string; }; answer: undefined; };
    listNodes: { answer: { data: Schemas["ServiceNode"][]; }; };
    searchEverything: { query: { q: string; }; answer: { data: Schemas["SearchHit"][]; }; };
    listSettings: { answer: { data: Schemas["SettingInForce"][]; }; };
    showToday: { answer: Schemas["Today"]; };
    authoriseAutopay: { path: { id: string; }; answer: Schemas["SandboxAutopay"]; };
    cancelAutopay: { path: { id: string; }; answer: Schemas["SandboxAutopay"]; };
    refuseAutopay: { path: { id: string; }; answer: Schemas["SandboxAutopay"]; };
    askSandboxBureau: { body: { cpf: string; }; answer: { score: unknown; cpf_status?: unknown; }; };
    getClock: { answer: Schemas["ClockReading"]; };
    moveClock: { body: Schemas["ClockMove"]; answer: Schemas["ClockReading"]; };
    resetClock: { answer: Schemas["ClockReading"]; };
    listMessages: {
        query?: Schemas["ListQuery"] & { phone?: string; email?: string; };
        answer: { data: Schemas["SandboxMessage"][]; pagination: Schemas["ListPagination"]; };
    };
    payCharge: {
        path: { txid: string; };
        body?: { value?: number; at?: string; force?: boolean; };
        answer: Schemas["SandboxPayment"];
    };
    reversePayment: {
        path: { txid: string; };
        body?: { value?: number; };
        answer: Schemas["SandboxReversal"];
    };
    showPspPage: { answer: undefined; };
    listPspDeliveries: { answer: { data: Schemas["PspDelivery"][]; }; };
    getPspFaults: { answer: Schemas["PspFaults"]; };
    setPspFaults: { body: Schemas["PspFaults"]; answer: Schemas["PspFaults"]; };
    scanBrCode: { body: { br_code: string; }; answer: Schemas["ScannedCharge"]; };
    resetSandbox: { answer: Schemas["ResetDone"]; };
    enterAsRole: {
        body: { role: "viewer" | "content" | "support" | "risk" | "finance" | "admin"; };
        answer: Schemas["StaffEntered"];
    };
}
