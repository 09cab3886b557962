//! Operations of the family `state`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `ApplyAdaMax(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `v`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `beta1_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_ada_max(
    var: &Output,
    m: &Output,
    v: &Output,
    beta1_power: &Output,
    lr: &Output,
    beta1: &Output,
    beta2: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ApplyAdaMax {
    let node = NodeBuilder::new("ApplyAdaMax")
        .input(var)
        .input(m)
        .input(v)
        .input(beta1_power)
        .input(lr)
        .input(beta1)
        .input(beta2)
        .input(epsilon)
        .input(grad);
    ApplyAdaMax(node)
}

/// A `ApplyAdaMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdaMax(NodeBuilder);

impl ApplyAdaMax {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdaMax {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdaMax {
        ApplyAdaMax(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyAdadelta(var, accum, accum_update, lr, rho, epsilon, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum_update`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_adadelta(
    var: &Output,
    accum: &Output,
    accum_update: &Output,
    lr: &Output,
    rho: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ApplyAdadelta {
    let node = NodeBuilder::new("ApplyAdadelta")
        .input(var)
        .input(accum)
        .input(accum_update)
        .input(lr)
        .input(rho)
        .input(epsilon)
        .input(grad);
    ApplyAdadelta(node)
}

/// A `ApplyAdadelta` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdadelta(NodeBuilder);

impl ApplyAdadelta {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdadelta {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdadelta {
        ApplyAdadelta(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyAdagrad(var, accum, lr, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_adagrad(var: &Output, accum: &Output, lr: &Output, grad: &Output) -> ApplyAdagrad {
    let node = NodeBuilder::new("ApplyAdagrad").input(var).input(accum).input(lr).input(grad);
    ApplyAdagrad(node)
}

/// A `ApplyAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdagrad(NodeBuilder);

impl ApplyAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ApplyAdagrad {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdagrad {
        ApplyAdagrad(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_squared_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `global_step`: int64
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_adagrad_da(
    var: &Output,
    gradient_accumulator: &Output,
    gradient_squared_accumulator: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    global_step: &Output,
) -> ApplyAdagradDA {
    let node = NodeBuilder::new("ApplyAdagradDA")
        .input(var)
        .input(gradient_accumulator)
        .input(gradient_squared_accumulator)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(global_step);
    ApplyAdagradDA(node)
}

/// A `ApplyAdagradDA` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdagradDA(NodeBuilder);

impl ApplyAdagradDA {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdagradDA {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdagradDA {
        ApplyAdagradDA(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyAdagradV2(var, accum, lr, epsilon, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_adagrad_v2(
    var: &Output,
    accum: &Output,
    lr: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ApplyAdagradV2 {
    let node = NodeBuilder::new("ApplyAdagradV2")
        .input(var)
        .input(accum)
        .input(lr)
        .input(epsilon)
        .input(grad);
    ApplyAdagradV2(node)
}

/// A `ApplyAdagradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdagradV2(NodeBuilder);

impl ApplyAdagradV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdagradV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ApplyAdagradV2 {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdagradV2 {
        ApplyAdagradV2(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyAdam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `v`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `beta1_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_adam(
    var: &Output,
    m: &Output,
    v: &Output,
    beta1_power: &Output,
    beta2_power: &Output,
    lr: &Output,
    beta1: &Output,
    beta2: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ApplyAdam {
    let node = NodeBuilder::new("ApplyAdam")
        .input(var)
        .input(m)
        .input(v)
        .input(beta1_power)
        .input(beta2_power)
        .input(lr)
        .input(beta1)
        .input(beta2)
        .input(epsilon)
        .input(grad);
    ApplyAdam(node)
}

/// A `ApplyAdam` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdam(NodeBuilder);

impl ApplyAdam {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdam {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ApplyAdam {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdam {
        ApplyAdam(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyAddSign(var, m, lr, alpha, sign_decay, beta, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sign_decay`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_add_sign(
    var: &Output,
    m: &Output,
    lr: &Output,
    alpha: &Output,
    sign_decay: &Output,
    beta: &Output,
    grad: &Output,
) -> ApplyAddSign {
    let node = NodeBuilder::new("ApplyAddSign")
        .input(var)
        .input(m)
        .input(lr)
        .input(alpha)
        .input(sign_decay)
        .input(beta)
        .input(grad);
    ApplyAddSign(node)
}

/// A `ApplyAddSign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAddSign(NodeBuilder);

impl ApplyAddSign {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAddSign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAddSign {
        ApplyAddSign(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `mg`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `ms`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `mom`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_centered_rms_prop(
    var: &Output,
    mg: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ApplyCenteredRMSProp {
    let node = NodeBuilder::new("ApplyCenteredRMSProp")
        .input(var)
        .input(mg)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad);
    ApplyCenteredRMSProp(node)
}

/// A `ApplyCenteredRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyCenteredRMSProp(NodeBuilder);

impl ApplyCenteredRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyCenteredRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyCenteredRMSProp {
        ApplyCenteredRMSProp(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyFtrl(var, accum, linear, grad, lr, l1, l2, lr_power) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `linear`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_ftrl(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    lr_power: &Output,
) -> ApplyFtrl {
    let node = NodeBuilder::new("ApplyFtrl")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(lr_power);
    ApplyFtrl(node)
}

/// A `ApplyFtrl` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyFtrl(NodeBuilder);

impl ApplyFtrl {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyFtrl {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> ApplyFtrl {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyFtrl {
        ApplyFtrl(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyFtrlV2(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `linear`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2_shrinkage`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_ftrl_v2(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    l2_shrinkage: &Output,
    lr_power: &Output,
) -> ApplyFtrlV2 {
    let node = NodeBuilder::new("ApplyFtrlV2")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(l2_shrinkage)
        .input(lr_power);
    ApplyFtrlV2(node)
}

/// A `ApplyFtrlV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyFtrlV2(NodeBuilder);

impl ApplyFtrlV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyFtrlV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> ApplyFtrlV2 {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyFtrlV2 {
        ApplyFtrlV2(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyGradientDescent(var, alpha, delta) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `delta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_gradient_descent(
    var: &Output,
    alpha: &Output,
    delta: &Output,
) -> ApplyGradientDescent {
    let node = NodeBuilder::new("ApplyGradientDescent").input(var).input(alpha).input(delta);
    ApplyGradientDescent(node)
}

/// A `ApplyGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyGradientDescent(NodeBuilder);

impl ApplyGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyGradientDescent {
        ApplyGradientDescent(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyMomentum(var, accum, lr, grad, momentum) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    momentum: &Output,
) -> ApplyMomentum {
    let node = NodeBuilder::new("ApplyMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(momentum);
    ApplyMomentum(node)
}

/// A `ApplyMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyMomentum(NodeBuilder);

impl ApplyMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ApplyMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyMomentum {
        ApplyMomentum(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyPowerSign(var, m, lr, logbase, sign_decay, beta, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `logbase`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sign_decay`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_power_sign(
    var: &Output,
    m: &Output,
    lr: &Output,
    logbase: &Output,
    sign_decay: &Output,
    beta: &Output,
    grad: &Output,
) -> ApplyPowerSign {
    let node = NodeBuilder::new("ApplyPowerSign")
        .input(var)
        .input(m)
        .input(lr)
        .input(logbase)
        .input(sign_decay)
        .input(beta)
        .input(grad);
    ApplyPowerSign(node)
}

/// A `ApplyPowerSign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyPowerSign(NodeBuilder);

impl ApplyPowerSign {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyPowerSign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyPowerSign {
        ApplyPowerSign(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyProximalAdagrad(var, accum, lr, l1, l2, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_proximal_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
) -> ApplyProximalAdagrad {
    let node = NodeBuilder::new("ApplyProximalAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(grad);
    ApplyProximalAdagrad(node)
}

/// A `ApplyProximalAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyProximalAdagrad(NodeBuilder);

impl ApplyProximalAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyProximalAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyProximalAdagrad {
        ApplyProximalAdagrad(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyProximalGradientDescent(var, alpha, l1, l2, delta) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `delta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_proximal_gradient_descent(
    var: &Output,
    alpha: &Output,
    l1: &Output,
    l2: &Output,
    delta: &Output,
) -> ApplyProximalGradientDescent {
    let node = NodeBuilder::new("ApplyProximalGradientDescent")
        .input(var)
        .input(alpha)
        .input(l1)
        .input(l2)
        .input(delta);
    ApplyProximalGradientDescent(node)
}

/// A `ApplyProximalGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyProximalGradientDescent(NodeBuilder);

impl ApplyProximalGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyProximalGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyProximalGradientDescent {
        ApplyProximalGradientDescent(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApplyRMSProp(var, ms, mom, lr, rho, momentum, epsilon, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `ms`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `mom`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_rms_prop(
    var: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ApplyRMSProp {
    let node = NodeBuilder::new("ApplyRMSProp")
        .input(var)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad);
    ApplyRMSProp(node)
}

/// A `ApplyRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyRMSProp(NodeBuilder);

impl ApplyRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyRMSProp {
        ApplyRMSProp(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Assign(ref, value) -> (output_ref)`.
///
/// * `ref`: `T` (any type), a reference
/// * `value`: `T` (any type)
/// * gives `output_ref`: `T` (any type), a reference
///
/// Gradients do not flow through it.
pub fn assign(ref_: &Output, value: &Output) -> Assign {
    let node = NodeBuilder::new("Assign").input(ref_).input(value);
    Assign(node)
}

/// A `Assign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Assign(NodeBuilder);

impl Assign {
    /// The attribute `validate_shape`; `true` unless set.
    pub fn validate_shape(mut self, value: bool) -> Assign {
        self.0.set("validate_shape", value.into());
        self
    }

    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> Assign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Assign {
        Assign(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AssignAdd(ref, value) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `value`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn assign_add(ref_: &Output, value: &Output) -> AssignAdd {
    let node = NodeBuilder::new("AssignAdd").input(ref_).input(value);
    AssignAdd(node)
}

/// A `AssignAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AssignAdd(NodeBuilder);

impl AssignAdd {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> AssignAdd {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AssignAdd {
        AssignAdd(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AssignAddVariableOp(resource, value) -> ()`.
///
/// * `resource`: resource
/// * `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn assign_add_variable_op(resource: &Output, value: &Output) -> ForOperation {
    let node = NodeBuilder::new("AssignAddVariableOp").input(resource).input(value);
    ForOperation(node)
}

/// `AssignSub(ref, value) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `value`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn assign_sub(ref_: &Output, value: &Output) -> AssignSub {
    let node = NodeBuilder::new("AssignSub").input(ref_).input(value);
    AssignSub(node)
}

/// A `AssignSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AssignSub(NodeBuilder);

impl AssignSub {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> AssignSub {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AssignSub {
        AssignSub(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AssignSubVariableOp(resource, value) -> ()`.
///
/// * `resource`: resource
/// * `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn assign_sub_variable_op(resource: &Output, value: &Output) -> ForOperation {
    let node = NodeBuilder::new("AssignSubVariableOp").input(resource).input(value);
    ForOperation(node)
}

/// `AssignVariableOp(resource, value) -> ()`.
///
/// * `resource`: resource
/// * `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn assign_variable_op(resource: &Output, value: &Output) -> AssignVariableOp {
    let node = NodeBuilder::new("AssignVariableOp").input(resource).input(value);
    AssignVariableOp(node)
}

/// A `AssignVariableOp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AssignVariableOp(NodeBuilder);

impl AssignVariableOp {
    /// The attribute `validate_shape`; `false` unless set.
    pub fn validate_shape(mut self, value: bool) -> AssignVariableOp {
        self.0.set("validate_shape", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AssignVariableOp {
        AssignVariableOp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ConsumeMutexLock(mutex_lock) -> ()`.
///
/// * `mutex_lock`: variant
///
/// Has no gradient. Has state or effects.
pub fn consume_mutex_lock(mutex_lock: &Output) -> ForOperation {
    let node = NodeBuilder::new("ConsumeMutexLock").input(mutex_lock);
    ForOperation(node)
}

/// `CountUpTo(ref) -> (output)`.
///
/// * `ref`: `T` (int32, int64), a reference
/// * `limit`: attribute, int
/// * gives `output`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn count_up_to(ref_: &Output, limit: i64) -> ForOutput {
    let mut node = NodeBuilder::new("CountUpTo").input(ref_);
    node.set("limit", limit.into());
    ForOutput(node)
}

/// `DestroyResourceOp(resource) -> ()`.
///
/// * `resource`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn destroy_resource_op(resource: &Output) -> DestroyResourceOp {
    let node = NodeBuilder::new("DestroyResourceOp").input(resource);
    DestroyResourceOp(node)
}

/// A `DestroyResourceOp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DestroyResourceOp(NodeBuilder);

impl DestroyResourceOp {
    /// The attribute `ignore_lookup_error`; `true` unless set.
    pub fn ignore_lookup_error(mut self, value: bool) -> DestroyResourceOp {
        self.0.set("ignore_lookup_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DestroyResourceOp {
        DestroyResourceOp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `DestroyTemporaryVariable(ref) -> (value)`.
///
/// * `ref`: `T` (any type), a reference
/// * `var_name`: attribute, string
/// * gives `value`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn destroy_temporary_variable(ref_: &Output, var_name: &str) -> ForOutput {
    let mut node = NodeBuilder::new("DestroyTemporaryVariable").input(ref_);
    node.set("var_name", text(var_name));
    ForOutput(node)
}

/// `DisableCopyOnRead(resource) -> ()`.
///
/// * `resource`: resource
///
/// Has no gradient. Has state or effects.
pub fn disable_copy_on_read(resource: &Output) -> ForOperation {
    let node = NodeBuilder::new("DisableCopyOnRead").input(resource);
    ForOperation(node)
}

/// `IsVariableInitialized(ref) -> (is_initialized)`.
///
/// * `ref`: `dtype` (any type), a reference
/// * gives `is_initialized`: bool
///
/// Gradients do not flow through it.
pub fn is_variable_initialized(ref_: &Output) -> ForOutput {
    let node = NodeBuilder::new("IsVariableInitialized").input(ref_);
    ForOutput(node)
}

/// `MutexLock(mutex) -> (mutex_lock)`.
///
/// * `mutex`: resource
/// * gives `mutex_lock`: variant
///
/// Has no gradient. Has state or effects.
pub fn mutex_lock(mutex: &Output) -> ForOutput {
    let node = NodeBuilder::new("MutexLock").input(mutex);
    ForOutput(node)
}

/// `MutexV2() -> (resource)`.
///
/// * gives `resource`: resource
///
/// Has no gradient. Has state or effects.
pub fn mutex_v2(graph: &Graph) -> MutexV2 {
    let node = NodeBuilder::in_graph(graph, "MutexV2");
    MutexV2(node)
}

/// A `MutexV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutexV2(NodeBuilder);

impl MutexV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutexV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutexV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutexV2 {
        MutexV2(self.0.name(name))
    }

    /// Adds the node and gives `resource`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ReadVariableOp(resource) -> (value)`.
///
/// * `resource`: resource
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn read_variable_op(resource: &Output, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ReadVariableOp").input(resource);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `ResourceApplyAdaMax(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `v`: resource
/// * `beta1_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_ada_max(
    var: &Output,
    m: &Output,
    v: &Output,
    beta1_power: &Output,
    lr: &Output,
    beta1: &Output,
    beta2: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdaMax {
    let node = NodeBuilder::new("ResourceApplyAdaMax")
        .input(var)
        .input(m)
        .input(v)
        .input(beta1_power)
        .input(lr)
        .input(beta1)
        .input(beta2)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdaMax(node)
}

/// A `ResourceApplyAdaMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdaMax(NodeBuilder);

impl ResourceApplyAdaMax {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdaMax {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdaMax {
        ResourceApplyAdaMax(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyAdadelta(var, accum, accum_update, lr, rho, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `accum_update`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_adadelta(
    var: &Output,
    accum: &Output,
    accum_update: &Output,
    lr: &Output,
    rho: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdadelta {
    let node = NodeBuilder::new("ResourceApplyAdadelta")
        .input(var)
        .input(accum)
        .input(accum_update)
        .input(lr)
        .input(rho)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdadelta(node)
}

/// A `ResourceApplyAdadelta` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdadelta(NodeBuilder);

impl ResourceApplyAdadelta {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdadelta {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdadelta {
        ResourceApplyAdadelta(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyAdagrad(var, accum, lr, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
) -> ResourceApplyAdagrad {
    let node =
        NodeBuilder::new("ResourceApplyAdagrad").input(var).input(accum).input(lr).input(grad);
    ResourceApplyAdagrad(node)
}

/// A `ResourceApplyAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdagrad(NodeBuilder);

impl ResourceApplyAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ResourceApplyAdagrad {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdagrad {
        ResourceApplyAdagrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step) -> ()`.
///
/// * `var`: resource
/// * `gradient_accumulator`: resource
/// * `gradient_squared_accumulator`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `global_step`: int64
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_adagrad_da(
    var: &Output,
    gradient_accumulator: &Output,
    gradient_squared_accumulator: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    global_step: &Output,
) -> ResourceApplyAdagradDA {
    let node = NodeBuilder::new("ResourceApplyAdagradDA")
        .input(var)
        .input(gradient_accumulator)
        .input(gradient_squared_accumulator)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(global_step);
    ResourceApplyAdagradDA(node)
}

/// A `ResourceApplyAdagradDA` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdagradDA(NodeBuilder);

impl ResourceApplyAdagradDA {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdagradDA {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdagradDA {
        ResourceApplyAdagradDA(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyAdagradV2(var, accum, lr, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_adagrad_v2(
    var: &Output,
    accum: &Output,
    lr: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdagradV2 {
    let node = NodeBuilder::new("ResourceApplyAdagradV2")
        .input(var)
        .input(accum)
        .input(lr)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdagradV2(node)
}

/// A `ResourceApplyAdagradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdagradV2(NodeBuilder);

impl ResourceApplyAdagradV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdagradV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ResourceApplyAdagradV2 {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdagradV2 {
        ResourceApplyAdagradV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyAdam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `v`: resource
/// * `beta1_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_adam(
    var: &Output,
    m: &Output,
    v: &Output,
    beta1_power: &Output,
    beta2_power: &Output,
    lr: &Output,
    beta1: &Output,
    beta2: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdam {
    let node = NodeBuilder::new("ResourceApplyAdam")
        .input(var)
        .input(m)
        .input(v)
        .input(beta1_power)
        .input(beta2_power)
        .input(lr)
        .input(beta1)
        .input(beta2)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdam(node)
}

/// A `ResourceApplyAdam` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdam(NodeBuilder);

impl ResourceApplyAdam {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdam {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceApplyAdam {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdam {
        ResourceApplyAdam(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyAdamWithAmsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `v`: resource
/// * `vhat`: resource
/// * `beta1_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_adam_with_amsgrad(
    var: &Output,
    m: &Output,
    v: &Output,
    vhat: &Output,
    beta1_power: &Output,
    beta2_power: &Output,
    lr: &Output,
    beta1: &Output,
    beta2: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdamWithAmsgrad {
    let node = NodeBuilder::new("ResourceApplyAdamWithAmsgrad")
        .input(var)
        .input(m)
        .input(v)
        .input(vhat)
        .input(beta1_power)
        .input(beta2_power)
        .input(lr)
        .input(beta1)
        .input(beta2)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdamWithAmsgrad(node)
}

/// A `ResourceApplyAdamWithAmsgrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdamWithAmsgrad(NodeBuilder);

impl ResourceApplyAdamWithAmsgrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdamWithAmsgrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdamWithAmsgrad {
        ResourceApplyAdamWithAmsgrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyAddSign(var, m, lr, alpha, sign_decay, beta, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sign_decay`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_add_sign(
    var: &Output,
    m: &Output,
    lr: &Output,
    alpha: &Output,
    sign_decay: &Output,
    beta: &Output,
    grad: &Output,
) -> ResourceApplyAddSign {
    let node = NodeBuilder::new("ResourceApplyAddSign")
        .input(var)
        .input(m)
        .input(lr)
        .input(alpha)
        .input(sign_decay)
        .input(beta)
        .input(grad);
    ResourceApplyAddSign(node)
}

/// A `ResourceApplyAddSign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAddSign(NodeBuilder);

impl ResourceApplyAddSign {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAddSign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAddSign {
        ResourceApplyAddSign(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `mg`: resource
/// * `ms`: resource
/// * `mom`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_centered_rms_prop(
    var: &Output,
    mg: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyCenteredRMSProp {
    let node = NodeBuilder::new("ResourceApplyCenteredRMSProp")
        .input(var)
        .input(mg)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad);
    ResourceApplyCenteredRMSProp(node)
}

/// A `ResourceApplyCenteredRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyCenteredRMSProp(NodeBuilder);

impl ResourceApplyCenteredRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyCenteredRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyCenteredRMSProp {
        ResourceApplyCenteredRMSProp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyFtrl(var, accum, linear, grad, lr, l1, l2, lr_power) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `linear`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_ftrl(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    lr_power: &Output,
) -> ResourceApplyFtrl {
    let node = NodeBuilder::new("ResourceApplyFtrl")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(lr_power);
    ResourceApplyFtrl(node)
}

/// A `ResourceApplyFtrl` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyFtrl(NodeBuilder);

impl ResourceApplyFtrl {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyFtrl {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> ResourceApplyFtrl {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyFtrl {
        ResourceApplyFtrl(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyFtrlV2(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `linear`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2_shrinkage`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_ftrl_v2(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    l2_shrinkage: &Output,
    lr_power: &Output,
) -> ResourceApplyFtrlV2 {
    let node = NodeBuilder::new("ResourceApplyFtrlV2")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(l2_shrinkage)
        .input(lr_power);
    ResourceApplyFtrlV2(node)
}

/// A `ResourceApplyFtrlV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyFtrlV2(NodeBuilder);

impl ResourceApplyFtrlV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyFtrlV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> ResourceApplyFtrlV2 {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyFtrlV2 {
        ResourceApplyFtrlV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyGradientDescent(var, alpha, delta) -> ()`.
///
/// * `var`: resource
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `delta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_gradient_descent(
    var: &Output,
    alpha: &Output,
    delta: &Output,
) -> ResourceApplyGradientDescent {
    let node =
        NodeBuilder::new("ResourceApplyGradientDescent").input(var).input(alpha).input(delta);
    ResourceApplyGradientDescent(node)
}

/// A `ResourceApplyGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyGradientDescent(NodeBuilder);

impl ResourceApplyGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyGradientDescent {
        ResourceApplyGradientDescent(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyKerasMomentum(var, accum, lr, grad, momentum) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_keras_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    momentum: &Output,
) -> ResourceApplyKerasMomentum {
    let node = NodeBuilder::new("ResourceApplyKerasMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(momentum);
    ResourceApplyKerasMomentum(node)
}

/// A `ResourceApplyKerasMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyKerasMomentum(NodeBuilder);

impl ResourceApplyKerasMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyKerasMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceApplyKerasMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyKerasMomentum {
        ResourceApplyKerasMomentum(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyMomentum(var, accum, lr, grad, momentum) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    momentum: &Output,
) -> ResourceApplyMomentum {
    let node = NodeBuilder::new("ResourceApplyMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(momentum);
    ResourceApplyMomentum(node)
}

/// A `ResourceApplyMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyMomentum(NodeBuilder);

impl ResourceApplyMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceApplyMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyMomentum {
        ResourceApplyMomentum(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyPowerSign(var, m, lr, logbase, sign_decay, beta, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `logbase`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sign_decay`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_power_sign(
    var: &Output,
    m: &Output,
    lr: &Output,
    logbase: &Output,
    sign_decay: &Output,
    beta: &Output,
    grad: &Output,
) -> ResourceApplyPowerSign {
    let node = NodeBuilder::new("ResourceApplyPowerSign")
        .input(var)
        .input(m)
        .input(lr)
        .input(logbase)
        .input(sign_decay)
        .input(beta)
        .input(grad);
    ResourceApplyPowerSign(node)
}

/// A `ResourceApplyPowerSign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyPowerSign(NodeBuilder);

impl ResourceApplyPowerSign {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyPowerSign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyPowerSign {
        ResourceApplyPowerSign(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyProximalAdagrad(var, accum, lr, l1, l2, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_proximal_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
) -> ResourceApplyProximalAdagrad {
    let node = NodeBuilder::new("ResourceApplyProximalAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(grad);
    ResourceApplyProximalAdagrad(node)
}

/// A `ResourceApplyProximalAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyProximalAdagrad(NodeBuilder);

impl ResourceApplyProximalAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyProximalAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyProximalAdagrad {
        ResourceApplyProximalAdagrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyProximalGradientDescent(var, alpha, l1, l2, delta) -> ()`.
///
/// * `var`: resource
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `delta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_proximal_gradient_descent(
    var: &Output,
    alpha: &Output,
    l1: &Output,
    l2: &Output,
    delta: &Output,
) -> ResourceApplyProximalGradientDescent {
    let node = NodeBuilder::new("ResourceApplyProximalGradientDescent")
        .input(var)
        .input(alpha)
        .input(l1)
        .input(l2)
        .input(delta);
    ResourceApplyProximalGradientDescent(node)
}

/// A `ResourceApplyProximalGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyProximalGradientDescent(NodeBuilder);

impl ResourceApplyProximalGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyProximalGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyProximalGradientDescent {
        ResourceApplyProximalGradientDescent(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceApplyRMSProp(var, ms, mom, lr, rho, momentum, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `ms`: resource
/// * `mom`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_rms_prop(
    var: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyRMSProp {
    let node = NodeBuilder::new("ResourceApplyRMSProp")
        .input(var)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad);
    ResourceApplyRMSProp(node)
}

/// A `ResourceApplyRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyRMSProp(NodeBuilder);

impl ResourceApplyRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyRMSProp {
        ResourceApplyRMSProp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceCountUpTo(resource) -> (output)`.
///
/// * `resource`: resource
/// * `limit`: attribute, int
/// * `T`: attribute, type, one of int32, int64
/// * gives `output`: `T` (int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_count_up_to(resource: &Output, limit: i64, t: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ResourceCountUpTo").input(resource);
    node.set("limit", limit.into());
    node.set("T", t.into());
    ForOutput(node)
}

/// `ResourceGather(resource, indices) -> (output)`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn resource_gather(resource: &Output, indices: &Output, dtype: DataType) -> ResourceGather {
    let mut node = NodeBuilder::new("ResourceGather").input(resource).input(indices);
    node.set("dtype", dtype.into());
    ResourceGather(node)
}

/// A `ResourceGather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceGather(NodeBuilder);

impl ResourceGather {
    /// The attribute `batch_dims`; `0` unless set.
    pub fn batch_dims(mut self, value: i64) -> ResourceGather {
        self.0.set("batch_dims", value.into());
        self
    }

    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> ResourceGather {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceGather {
        ResourceGather(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ResourceGatherNd(resource, indices) -> (output)`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn resource_gather_nd(resource: &Output, indices: &Output, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ResourceGatherNd").input(resource).input(indices);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `ResourceScatterAdd(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_add(resource: &Output, indices: &Output, updates: &Output) -> ForOperation {
    let node = NodeBuilder::new("ResourceScatterAdd").input(resource).input(indices).input(updates);
    ForOperation(node)
}

/// `ResourceScatterDiv(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_div(resource: &Output, indices: &Output, updates: &Output) -> ForOperation {
    let node = NodeBuilder::new("ResourceScatterDiv").input(resource).input(indices).input(updates);
    ForOperation(node)
}

/// `ResourceScatterMax(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_max(resource: &Output, indices: &Output, updates: &Output) -> ForOperation {
    let node = NodeBuilder::new("ResourceScatterMax").input(resource).input(indices).input(updates);
    ForOperation(node)
}

/// `ResourceScatterMin(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_min(resource: &Output, indices: &Output, updates: &Output) -> ForOperation {
    let node = NodeBuilder::new("ResourceScatterMin").input(resource).input(indices).input(updates);
    ForOperation(node)
}

/// `ResourceScatterMul(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_mul(resource: &Output, indices: &Output, updates: &Output) -> ForOperation {
    let node = NodeBuilder::new("ResourceScatterMul").input(resource).input(indices).input(updates);
    ForOperation(node)
}

/// `ResourceScatterNdAdd(ref, indices, updates) -> ()`.
///
/// * `ref`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_nd_add(
    ref_: &Output,
    indices: &Output,
    updates: &Output,
) -> ResourceScatterNdAdd {
    let node = NodeBuilder::new("ResourceScatterNdAdd").input(ref_).input(indices).input(updates);
    ResourceScatterNdAdd(node)
}

/// A `ResourceScatterNdAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceScatterNdAdd(NodeBuilder);

impl ResourceScatterNdAdd {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceScatterNdAdd {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ResourceScatterNdAdd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceScatterNdAdd {
        ResourceScatterNdAdd(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceScatterNdMax(ref, indices, updates) -> ()`.
///
/// * `ref`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_nd_max(
    ref_: &Output,
    indices: &Output,
    updates: &Output,
) -> ResourceScatterNdMax {
    let node = NodeBuilder::new("ResourceScatterNdMax").input(ref_).input(indices).input(updates);
    ResourceScatterNdMax(node)
}

/// A `ResourceScatterNdMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceScatterNdMax(NodeBuilder);

impl ResourceScatterNdMax {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceScatterNdMax {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ResourceScatterNdMax {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceScatterNdMax {
        ResourceScatterNdMax(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceScatterNdMin(ref, indices, updates) -> ()`.
///
/// * `ref`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_nd_min(
    ref_: &Output,
    indices: &Output,
    updates: &Output,
) -> ResourceScatterNdMin {
    let node = NodeBuilder::new("ResourceScatterNdMin").input(ref_).input(indices).input(updates);
    ResourceScatterNdMin(node)
}

/// A `ResourceScatterNdMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceScatterNdMin(NodeBuilder);

impl ResourceScatterNdMin {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceScatterNdMin {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ResourceScatterNdMin {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceScatterNdMin {
        ResourceScatterNdMin(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceScatterNdSub(ref, indices, updates) -> ()`.
///
/// * `ref`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_nd_sub(
    ref_: &Output,
    indices: &Output,
    updates: &Output,
) -> ResourceScatterNdSub {
    let node = NodeBuilder::new("ResourceScatterNdSub").input(ref_).input(indices).input(updates);
    ResourceScatterNdSub(node)
}

/// A `ResourceScatterNdSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceScatterNdSub(NodeBuilder);

impl ResourceScatterNdSub {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceScatterNdSub {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ResourceScatterNdSub {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceScatterNdSub {
        ResourceScatterNdSub(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceScatterNdUpdate(ref, indices, updates) -> ()`.
///
/// * `ref`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_nd_update(
    ref_: &Output,
    indices: &Output,
    updates: &Output,
) -> ResourceScatterNdUpdate {
    let node =
        NodeBuilder::new("ResourceScatterNdUpdate").input(ref_).input(indices).input(updates);
    ResourceScatterNdUpdate(node)
}

/// A `ResourceScatterNdUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceScatterNdUpdate(NodeBuilder);

impl ResourceScatterNdUpdate {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceScatterNdUpdate {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ResourceScatterNdUpdate {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceScatterNdUpdate {
        ResourceScatterNdUpdate(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceScatterSub(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_sub(resource: &Output, indices: &Output, updates: &Output) -> ForOperation {
    let node = NodeBuilder::new("ResourceScatterSub").input(resource).input(indices).input(updates);
    ForOperation(node)
}

/// `ResourceScatterUpdate(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_update(
    resource: &Output,
    indices: &Output,
    updates: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("ResourceScatterUpdate").input(resource).input(indices).input(updates);
    ForOperation(node)
}

/// `ResourceSparseApplyAdadelta(var, accum, accum_update, lr, rho, epsilon, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `accum_update`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_sparse_apply_adadelta(
    var: &Output,
    accum: &Output,
    accum_update: &Output,
    lr: &Output,
    rho: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyAdadelta {
    let node = NodeBuilder::new("ResourceSparseApplyAdadelta")
        .input(var)
        .input(accum)
        .input(accum_update)
        .input(lr)
        .input(rho)
        .input(epsilon)
        .input(grad)
        .input(indices);
    ResourceSparseApplyAdadelta(node)
}

/// A `ResourceSparseApplyAdadelta` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyAdadelta(NodeBuilder);

impl ResourceSparseApplyAdadelta {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyAdadelta {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyAdadelta {
        ResourceSparseApplyAdadelta(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyAdagrad(var, accum, lr, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyAdagrad {
    let node = NodeBuilder::new("ResourceSparseApplyAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices);
    ResourceSparseApplyAdagrad(node)
}

/// A `ResourceSparseApplyAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyAdagrad(NodeBuilder);

impl ResourceSparseApplyAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ResourceSparseApplyAdagrad {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyAdagrad {
        ResourceSparseApplyAdagrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step) -> ()`.
///
/// * `var`: resource
/// * `gradient_accumulator`: resource
/// * `gradient_squared_accumulator`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `global_step`: int64
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_sparse_apply_adagrad_da(
    var: &Output,
    gradient_accumulator: &Output,
    gradient_squared_accumulator: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    global_step: &Output,
) -> ResourceSparseApplyAdagradDA {
    let node = NodeBuilder::new("ResourceSparseApplyAdagradDA")
        .input(var)
        .input(gradient_accumulator)
        .input(gradient_squared_accumulator)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(global_step);
    ResourceSparseApplyAdagradDA(node)
}

/// A `ResourceSparseApplyAdagradDA` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyAdagradDA(NodeBuilder);

impl ResourceSparseApplyAdagradDA {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyAdagradDA {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyAdagradDA {
        ResourceSparseApplyAdagradDA(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyAdagradV2(var, accum, lr, epsilon, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_adagrad_v2(
    var: &Output,
    accum: &Output,
    lr: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyAdagradV2 {
    let node = NodeBuilder::new("ResourceSparseApplyAdagradV2")
        .input(var)
        .input(accum)
        .input(lr)
        .input(epsilon)
        .input(grad)
        .input(indices);
    ResourceSparseApplyAdagradV2(node)
}

/// A `ResourceSparseApplyAdagradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyAdagradV2(NodeBuilder);

impl ResourceSparseApplyAdagradV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyAdagradV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ResourceSparseApplyAdagradV2 {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyAdagradV2 {
        ResourceSparseApplyAdagradV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `mg`: resource
/// * `ms`: resource
/// * `mom`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_sparse_apply_centered_rms_prop(
    var: &Output,
    mg: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyCenteredRMSProp {
    let node = NodeBuilder::new("ResourceSparseApplyCenteredRMSProp")
        .input(var)
        .input(mg)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad)
        .input(indices);
    ResourceSparseApplyCenteredRMSProp(node)
}

/// A `ResourceSparseApplyCenteredRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyCenteredRMSProp(NodeBuilder);

impl ResourceSparseApplyCenteredRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyCenteredRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyCenteredRMSProp {
        ResourceSparseApplyCenteredRMSProp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyFtrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `linear`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_sparse_apply_ftrl(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    lr_power: &Output,
) -> ResourceSparseApplyFtrl {
    let node = NodeBuilder::new("ResourceSparseApplyFtrl")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(lr_power);
    ResourceSparseApplyFtrl(node)
}

/// A `ResourceSparseApplyFtrl` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyFtrl(NodeBuilder);

impl ResourceSparseApplyFtrl {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyFtrl {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> ResourceSparseApplyFtrl {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyFtrl {
        ResourceSparseApplyFtrl(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyFtrlV2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `linear`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2_shrinkage`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_sparse_apply_ftrl_v2(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    l2_shrinkage: &Output,
    lr_power: &Output,
) -> ResourceSparseApplyFtrlV2 {
    let node = NodeBuilder::new("ResourceSparseApplyFtrlV2")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(l2_shrinkage)
        .input(lr_power);
    ResourceSparseApplyFtrlV2(node)
}

/// A `ResourceSparseApplyFtrlV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyFtrlV2(NodeBuilder);

impl ResourceSparseApplyFtrlV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyFtrlV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> ResourceSparseApplyFtrlV2 {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyFtrlV2 {
        ResourceSparseApplyFtrlV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyKerasMomentum(var, accum, lr, grad, indices, momentum) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_keras_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
    momentum: &Output,
) -> ResourceSparseApplyKerasMomentum {
    let node = NodeBuilder::new("ResourceSparseApplyKerasMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices)
        .input(momentum);
    ResourceSparseApplyKerasMomentum(node)
}

/// A `ResourceSparseApplyKerasMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyKerasMomentum(NodeBuilder);

impl ResourceSparseApplyKerasMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyKerasMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceSparseApplyKerasMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyKerasMomentum {
        ResourceSparseApplyKerasMomentum(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyMomentum(var, accum, lr, grad, indices, momentum) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
    momentum: &Output,
) -> ResourceSparseApplyMomentum {
    let node = NodeBuilder::new("ResourceSparseApplyMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices)
        .input(momentum);
    ResourceSparseApplyMomentum(node)
}

/// A `ResourceSparseApplyMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyMomentum(NodeBuilder);

impl ResourceSparseApplyMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceSparseApplyMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyMomentum {
        ResourceSparseApplyMomentum(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyProximalAdagrad(var, accum, lr, l1, l2, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_proximal_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyProximalAdagrad {
    let node = NodeBuilder::new("ResourceSparseApplyProximalAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(grad)
        .input(indices);
    ResourceSparseApplyProximalAdagrad(node)
}

/// A `ResourceSparseApplyProximalAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyProximalAdagrad(NodeBuilder);

impl ResourceSparseApplyProximalAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyProximalAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyProximalAdagrad {
        ResourceSparseApplyProximalAdagrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyProximalGradientDescent(var, alpha, l1, l2, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_proximal_gradient_descent(
    var: &Output,
    alpha: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyProximalGradientDescent {
    let node = NodeBuilder::new("ResourceSparseApplyProximalGradientDescent")
        .input(var)
        .input(alpha)
        .input(l1)
        .input(l2)
        .input(grad)
        .input(indices);
    ResourceSparseApplyProximalGradientDescent(node)
}

/// A `ResourceSparseApplyProximalGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyProximalGradientDescent(NodeBuilder);

impl ResourceSparseApplyProximalGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyProximalGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyProximalGradientDescent {
        ResourceSparseApplyProximalGradientDescent(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ResourceSparseApplyRMSProp(var, ms, mom, lr, rho, momentum, epsilon, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `ms`: resource
/// * `mom`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_sparse_apply_rms_prop(
    var: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyRMSProp {
    let node = NodeBuilder::new("ResourceSparseApplyRMSProp")
        .input(var)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad)
        .input(indices);
    ResourceSparseApplyRMSProp(node)
}

/// A `ResourceSparseApplyRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyRMSProp(NodeBuilder);

impl ResourceSparseApplyRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyRMSProp {
        ResourceSparseApplyRMSProp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ScatterAdd(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_add(ref_: &Output, indices: &Output, updates: &Output) -> ScatterAdd {
    let node = NodeBuilder::new("ScatterAdd").input(ref_).input(indices).input(updates);
    ScatterAdd(node)
}

/// A `ScatterAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterAdd(NodeBuilder);

impl ScatterAdd {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterAdd {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterAdd {
        ScatterAdd(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterDiv(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_div(ref_: &Output, indices: &Output, updates: &Output) -> ScatterDiv {
    let node = NodeBuilder::new("ScatterDiv").input(ref_).input(indices).input(updates);
    ScatterDiv(node)
}

/// A `ScatterDiv` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterDiv(NodeBuilder);

impl ScatterDiv {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterDiv {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterDiv {
        ScatterDiv(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterMax(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (half, bfloat16, float, double, int32, int64)
/// * gives `output_ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_max(ref_: &Output, indices: &Output, updates: &Output) -> ScatterMax {
    let node = NodeBuilder::new("ScatterMax").input(ref_).input(indices).input(updates);
    ScatterMax(node)
}

/// A `ScatterMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterMax(NodeBuilder);

impl ScatterMax {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterMax {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterMax {
        ScatterMax(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterMin(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (half, bfloat16, float, double, int32, int64)
/// * gives `output_ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_min(ref_: &Output, indices: &Output, updates: &Output) -> ScatterMin {
    let node = NodeBuilder::new("ScatterMin").input(ref_).input(indices).input(updates);
    ScatterMin(node)
}

/// A `ScatterMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterMin(NodeBuilder);

impl ScatterMin {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterMin {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterMin {
        ScatterMin(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterMul(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_mul(ref_: &Output, indices: &Output, updates: &Output) -> ScatterMul {
    let node = NodeBuilder::new("ScatterMul").input(ref_).input(indices).input(updates);
    ScatterMul(node)
}

/// A `ScatterMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterMul(NodeBuilder);

impl ScatterMul {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterMul {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterMul {
        ScatterMul(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterNdAdd(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_nd_add(ref_: &Output, indices: &Output, updates: &Output) -> ScatterNdAdd {
    let node = NodeBuilder::new("ScatterNdAdd").input(ref_).input(indices).input(updates);
    ScatterNdAdd(node)
}

/// A `ScatterNdAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdAdd(NodeBuilder);

impl ScatterNdAdd {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterNdAdd {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdAdd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdAdd {
        ScatterNdAdd(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterNdMax(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_nd_max(ref_: &Output, indices: &Output, updates: &Output) -> ScatterNdMax {
    let node = NodeBuilder::new("ScatterNdMax").input(ref_).input(indices).input(updates);
    ScatterNdMax(node)
}

/// A `ScatterNdMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdMax(NodeBuilder);

impl ScatterNdMax {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterNdMax {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdMax {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdMax {
        ScatterNdMax(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterNdMin(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_nd_min(ref_: &Output, indices: &Output, updates: &Output) -> ScatterNdMin {
    let node = NodeBuilder::new("ScatterNdMin").input(ref_).input(indices).input(updates);
    ScatterNdMin(node)
}

/// A `ScatterNdMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdMin(NodeBuilder);

impl ScatterNdMin {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterNdMin {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdMin {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdMin {
        ScatterNdMin(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterNdSub(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_nd_sub(ref_: &Output, indices: &Output, updates: &Output) -> ScatterNdSub {
    let node = NodeBuilder::new("ScatterNdSub").input(ref_).input(indices).input(updates);
    ScatterNdSub(node)
}

/// A `ScatterNdSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdSub(NodeBuilder);

impl ScatterNdSub {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterNdSub {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdSub {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdSub {
        ScatterNdSub(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterNdUpdate(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (any type), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output_ref`: `T` (any type), a reference
///
/// Gradients do not flow through it.
pub fn scatter_nd_update(ref_: &Output, indices: &Output, updates: &Output) -> ScatterNdUpdate {
    let node = NodeBuilder::new("ScatterNdUpdate").input(ref_).input(indices).input(updates);
    ScatterNdUpdate(node)
}

/// A `ScatterNdUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdUpdate(NodeBuilder);

impl ScatterNdUpdate {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterNdUpdate {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdUpdate {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdUpdate {
        ScatterNdUpdate(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterSub(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_sub(ref_: &Output, indices: &Output, updates: &Output) -> ScatterSub {
    let node = NodeBuilder::new("ScatterSub").input(ref_).input(indices).input(updates);
    ScatterSub(node)
}

/// A `ScatterSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterSub(NodeBuilder);

impl ScatterSub {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterSub {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterSub {
        ScatterSub(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterUpdate(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (any type), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output_ref`: `T` (any type), a reference
///
/// Gradients do not flow through it.
pub fn scatter_update(ref_: &Output, indices: &Output, updates: &Output) -> ScatterUpdate {
    let node = NodeBuilder::new("ScatterUpdate").input(ref_).input(indices).input(updates);
    ScatterUpdate(node)
}

/// A `ScatterUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterUpdate(NodeBuilder);

impl ScatterUpdate {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterUpdate {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterUpdate {
        ScatterUpdate(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyAdadelta(var, accum, accum_update, lr, rho, epsilon, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum_update`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_adadelta(
    var: &Output,
    accum: &Output,
    accum_update: &Output,
    lr: &Output,
    rho: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyAdadelta {
    let node = NodeBuilder::new("SparseApplyAdadelta")
        .input(var)
        .input(accum)
        .input(accum_update)
        .input(lr)
        .input(rho)
        .input(epsilon)
        .input(grad)
        .input(indices);
    SparseApplyAdadelta(node)
}

/// A `SparseApplyAdadelta` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyAdadelta(NodeBuilder);

impl SparseApplyAdadelta {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyAdadelta {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyAdadelta {
        SparseApplyAdadelta(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyAdagrad(var, accum, lr, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyAdagrad {
    let node = NodeBuilder::new("SparseApplyAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices);
    SparseApplyAdagrad(node)
}

/// A `SparseApplyAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyAdagrad(NodeBuilder);

impl SparseApplyAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> SparseApplyAdagrad {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyAdagrad {
        SparseApplyAdagrad(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_squared_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `global_step`: int64
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_adagrad_da(
    var: &Output,
    gradient_accumulator: &Output,
    gradient_squared_accumulator: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    global_step: &Output,
) -> SparseApplyAdagradDA {
    let node = NodeBuilder::new("SparseApplyAdagradDA")
        .input(var)
        .input(gradient_accumulator)
        .input(gradient_squared_accumulator)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(global_step);
    SparseApplyAdagradDA(node)
}

/// A `SparseApplyAdagradDA` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyAdagradDA(NodeBuilder);

impl SparseApplyAdagradDA {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyAdagradDA {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyAdagradDA {
        SparseApplyAdagradDA(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyAdagradV2(var, accum, lr, epsilon, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_adagrad_v2(
    var: &Output,
    accum: &Output,
    lr: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyAdagradV2 {
    let node = NodeBuilder::new("SparseApplyAdagradV2")
        .input(var)
        .input(accum)
        .input(lr)
        .input(epsilon)
        .input(grad)
        .input(indices);
    SparseApplyAdagradV2(node)
}

/// A `SparseApplyAdagradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyAdagradV2(NodeBuilder);

impl SparseApplyAdagradV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyAdagradV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> SparseApplyAdagradV2 {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyAdagradV2 {
        SparseApplyAdagradV2(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `mg`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `ms`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `mom`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_centered_rms_prop(
    var: &Output,
    mg: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyCenteredRMSProp {
    let node = NodeBuilder::new("SparseApplyCenteredRMSProp")
        .input(var)
        .input(mg)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad)
        .input(indices);
    SparseApplyCenteredRMSProp(node)
}

/// A `SparseApplyCenteredRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyCenteredRMSProp(NodeBuilder);

impl SparseApplyCenteredRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyCenteredRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyCenteredRMSProp {
        SparseApplyCenteredRMSProp(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyFtrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `linear`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_ftrl(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    lr_power: &Output,
) -> SparseApplyFtrl {
    let node = NodeBuilder::new("SparseApplyFtrl")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(lr_power);
    SparseApplyFtrl(node)
}

/// A `SparseApplyFtrl` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyFtrl(NodeBuilder);

impl SparseApplyFtrl {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyFtrl {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> SparseApplyFtrl {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyFtrl {
        SparseApplyFtrl(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyFtrlV2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `linear`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2_shrinkage`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_ftrl_v2(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    l2_shrinkage: &Output,
    lr_power: &Output,
) -> SparseApplyFtrlV2 {
    let node = NodeBuilder::new("SparseApplyFtrlV2")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(l2_shrinkage)
        .input(lr_power);
    SparseApplyFtrlV2(node)
}

/// A `SparseApplyFtrlV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyFtrlV2(NodeBuilder);

impl SparseApplyFtrlV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyFtrlV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> SparseApplyFtrlV2 {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyFtrlV2 {
        SparseApplyFtrlV2(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyMomentum(var, accum, lr, grad, indices, momentum) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
    momentum: &Output,
) -> SparseApplyMomentum {
    let node = NodeBuilder::new("SparseApplyMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices)
        .input(momentum);
    SparseApplyMomentum(node)
}

/// A `SparseApplyMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyMomentum(NodeBuilder);

impl SparseApplyMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> SparseApplyMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyMomentum {
        SparseApplyMomentum(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyProximalAdagrad(var, accum, lr, l1, l2, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_proximal_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyProximalAdagrad {
    let node = NodeBuilder::new("SparseApplyProximalAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(grad)
        .input(indices);
    SparseApplyProximalAdagrad(node)
}

/// A `SparseApplyProximalAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyProximalAdagrad(NodeBuilder);

impl SparseApplyProximalAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyProximalAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyProximalAdagrad {
        SparseApplyProximalAdagrad(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyProximalGradientDescent(var, alpha, l1, l2, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_proximal_gradient_descent(
    var: &Output,
    alpha: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyProximalGradientDescent {
    let node = NodeBuilder::new("SparseApplyProximalGradientDescent")
        .input(var)
        .input(alpha)
        .input(l1)
        .input(l2)
        .input(grad)
        .input(indices);
    SparseApplyProximalGradientDescent(node)
}

/// A `SparseApplyProximalGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyProximalGradientDescent(NodeBuilder);

impl SparseApplyProximalGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyProximalGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyProximalGradientDescent {
        SparseApplyProximalGradientDescent(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseApplyRMSProp(var, ms, mom, lr, rho, momentum, epsilon, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `ms`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `mom`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_rms_prop(
    var: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyRMSProp {
    let node = NodeBuilder::new("SparseApplyRMSProp")
        .input(var)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad)
        .input(indices);
    SparseApplyRMSProp(node)
}

/// A `SparseApplyRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyRMSProp(NodeBuilder);

impl SparseApplyRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyRMSProp {
        SparseApplyRMSProp(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TemporaryVariable() -> (ref)`.
///
/// * `shape`: attribute, shape
/// * `dtype`: attribute, type
/// * gives `ref`: `dtype` (any type), a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn temporary_variable(
    graph: &Graph,
    shape: &PartialShape,
    dtype: DataType,
) -> TemporaryVariable {
    let mut node = NodeBuilder::in_graph(graph, "TemporaryVariable");
    node.set("shape", shape.clone().into());
    node.set("dtype", dtype.into());
    TemporaryVariable(node)
}

/// A `TemporaryVariable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TemporaryVariable(NodeBuilder);

impl TemporaryVariable {
    /// The attribute `var_name`; `""` unless set.
    pub fn var_name(mut self, value: &str) -> TemporaryVariable {
        self.0.set("var_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TemporaryVariable {
        TemporaryVariable(self.0.name(name))
    }

    /// Adds the node and gives `ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `VarHandleOp() -> (resource)`.
///
/// * `dtype`: attribute, type
/// * `shape`: attribute, shape
/// * gives `resource`: resource
///
/// Has no gradient. Has state or effects.
pub fn var_handle_op(graph: &Graph, dtype: DataType, shape: &PartialShape) -> VarHandleOp {
    let mut node = NodeBuilder::in_graph(graph, "VarHandleOp");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    VarHandleOp(node)
}

/// A `VarHandleOp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct VarHandleOp(NodeBuilder);

impl VarHandleOp {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> VarHandleOp {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> VarHandleOp {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `debug_name`; `""` unless set.
    pub fn debug_name(mut self, value: &str) -> VarHandleOp {
        self.0.set("debug_name", text(value));
        self
    }

    /// The attribute `allowed_devices`; an empty list unless set.
    pub fn allowed_devices(mut self, value: &[&str]) -> VarHandleOp {
        self.0.set("allowed_devices", texts(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> VarHandleOp {
        VarHandleOp(self.0.name(name))
    }

    /// Adds the node and gives `resource`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `VarIsInitializedOp(resource) -> (is_initialized)`.
///
/// * `resource`: resource
/// * gives `is_initialized`: bool
///
/// Gradients do not flow through it. Has state or effects.
pub fn var_is_initialized_op(resource: &Output) -> ForOutput {
    let node = NodeBuilder::new("VarIsInitializedOp").input(resource);
    ForOutput(node)
}

/// `Variable() -> (ref)`.
///
/// * `shape`: attribute, shape
/// * `dtype`: attribute, type
/// * gives `ref`: `dtype` (any type), a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn variable(graph: &Graph, shape: &PartialShape, dtype: DataType) -> Variable {
    let mut node = NodeBuilder::in_graph(graph, "Variable");
    node.set("shape", shape.clone().into());
    node.set("dtype", dtype.into());
    Variable(node)
}

/// A `Variable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Variable(NodeBuilder);

impl Variable {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Variable {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Variable {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Variable {
        Variable(self.0.name(name))
    }

    /// Adds the node and gives `ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `VariableShape(input) -> (output)`.
///
/// * `input`: resource
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn variable_shape(input: &Output) -> VariableShape {
    let node = NodeBuilder::new("VariableShape").input(input);
    VariableShape(node)
}

/// A `VariableShape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct VariableShape(NodeBuilder);

impl VariableShape {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> VariableShape {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> VariableShape {
        VariableShape(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `VariableV2() -> (ref)`.
///
/// * `shape`: attribute, shape
/// * `dtype`: attribute, type
/// * gives `ref`: `dtype` (any type), a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn variable_v2(graph: &Graph, shape: &PartialShape, dtype: DataType) -> VariableV2 {
    let mut node = NodeBuilder::in_graph(graph, "VariableV2");
    node.set("shape", shape.clone().into());
    node.set("dtype", dtype.into());
    VariableV2(node)
}

/// A `VariableV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct VariableV2(NodeBuilder);

impl VariableV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> VariableV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> VariableV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> VariableV2 {
        VariableV2(self.0.name(name))
    }

    /// Adds the node and gives `ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
