//! Another program as a child process that trains when it is asked to.

use crate::workload::{Data, Workload};
use fovea_core::ParamError;
use fovea_desk::error::LabError;
use fovea_sim::Bias;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What every program begins with.
const ANSWERS: &str = include_str!("../opponents/answers.py");

/// Programs of one kind: what they share, and their packages and sources.
pub struct Programs {
    shared: &'static str,
    sources: [(&'static str, &'static str); 2],
}

/// Programs that train.
pub const TRAINING: Programs = Programs {
    shared: include_str!("../opponents/serve.py"),
    sources: [
        ("jax", include_str!("../opponents/jax_steps.py")),
        ("torch", include_str!("../opponents/torch_steps.py")),
    ],
};

/// Programs that find tangent kernels.
pub(super) const KERNELS: Programs = Programs {
    shared: include_str!("../opponents/ntk_serve.py"),
    sources: [
        ("jax", include_str!("../opponents/ntk_jax.py")),
        ("neural-tangents", include_str!("../opponents/ntk_neural_tangents.py")),
    ],
};

/// A program that cannot take part, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The program.
    pub name: &'static str,
    /// What Python says.
    pub why: String,
    /// How to install what is missing.
    pub install: String,
}

/// A program that is running.
pub struct Opponent {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: String,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// One timed run of another program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// CPU seconds of all its steps.
    pub(super) cpu: f64,
    /// Loss on fresh samples afterwards.
    pub(super) loss: f64,
    /// CPU seconds of the whole turn, the loss included.
    pub(super) used: f64,
}

/// Starts every program that `python` can run, on one core.
///
/// # Errors
/// `python` cannot be started, is no Python, or has none of the packages.
pub fn start(
    python: &str,
    core: Option<usize>,
    Programs { shared, sources }: &Programs,
) -> Result<(Vec<Opponent>, Vec<Missing>), LabError> {
    let (mut running, mut missing) = (Vec::new(), Vec::new());
    for (name, source) in *sources {
        match Opponent::start(name, &format!("{ANSWERS}\n{shared}\n{source}"), python, core)? {
            Ok(opponent) => running.push(opponent),
            Err(why) => missing.push(Missing { name, why, install: install(python, name) }),
        }
    }
    if running.is_empty() {
        let names: Vec<&str> = sources.iter().map(|(name, _)| *name).collect();
        let whys: Vec<&str> = missing.iter().map(|missing| missing.why.as_str()).collect();
        return Err(refused(
            format!(
                "`against` is {python}, which has none of {}: {}",
                names.join(", "),
                whys.join("; ")
            ),
            format!("{}, or name another Python", install(python, &names.join(" "))),
        ));
    }
    Ok((running, missing))
}

fn install(python: &str, packages: &str) -> String {
    format!("install with {python} -m pip install {packages} numpy")
}

fn refused(what: String, hint: String) -> LabError {
    LabError::Param(ParamError::Inconsistent { what, hint })
}

/// What a program has to know of a workload.
pub fn described(workload: &Workload, steps: u64) -> Value {
    let mut words = json!({
        "n": workload.n,
        "width": workload.width,
        "activation": workload.activation.name,
        "bias": workload.bias != Bias::None,
        "lr": workload.lr,
        "batch": workload.batch,
        "steps": steps,
    });
    match workload.data {
        Data::Nlgp { gain, xi_pos, xi_neg } => {
            words["gain"] = gain.into();
            words["xi"] = json!([xi_neg, xi_pos]);
        }
        Data::Pulse { pos, neg } => words["pulse"] = json!([neg, pos]),
    }
    words
}

impl Opponent {
    /// Starts one program, or says what it lacks.
    fn start(
        name: &'static str,
        source: &str,
        python: &str,
        core: Option<usize>,
    ) -> Result<Result<Self, String>, LabError> {
        let unusable = |why: String| {
            let hint =
                "give a Python 3 that has jax or torch, such as --against python3".to_owned();
            refused(format!("`against` is {python}: {why}"), hint)
        };
        let core = core.map_or_else(|| "-1".to_owned(), |core| core.to_string());
        let mut child = Command::new(python)
            .args(["-c", source, &core])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| unusable(error.to_string()))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both ends are piped")
        };
        let (answers, version) = (BufReader::new(answers), String::new());
        let mut opponent = Self { name, version, child, requests, answers };
        let first =
            opponent.answer().map_err(|_| unusable("it runs no Python program".to_owned()))?;
        if let Some(missing) = first["missing"].as_str() {
            let why = first["why"].as_str().unwrap_or(missing);
            return Ok(Err(why.to_owned()));
        }
        first["version"].as_str().unwrap_or_default().clone_into(&mut opponent.version);
        Ok(Ok(opponent))
    }

    /// Compiles and warms up for a workload; the route its samples take comes back.
    pub(super) fn prepare(&mut self, workload: &Workload, steps: u64) -> Result<String, LabError> {
        let answer = self.ask(&json!({ "prepare": described(workload, steps) }))?;
        Ok(answer["route"].as_str().unwrap_or_default().to_owned())
    }

    /// Trains a fresh network.
    pub(super) fn run(&mut self, seed: u64) -> Result<Turn, LabError> {
        let answer = self.ask(&json!({ "run": seed }))?;
        let number = |key: &str| answer[key].as_f64().filter(|x| x.is_finite());
        match (number("cpu"), number("loss")) {
            (Some(cpu), Some(loss)) if cpu > 0.0 => {
                Ok(Turn { cpu, loss, used: number("used").unwrap_or(cpu) })
            }
            _ => Err(self.broken(&format!("answered {answer}"))),
        }
    }

    /// Compiles the ways to find a tangent kernel and warms up; their names come back.
    pub(super) fn prepare_kernel(&mut self, described: &Value) -> Result<Vec<String>, LabError> {
        let answer = self.ask(&json!({ "prepare": described }))?;
        let routes: Option<Vec<String>> = answer["routes"].as_array().and_then(|routes| {
            routes.iter().map(|route| route.as_str().map(str::to_owned)).collect()
        });
        routes.ok_or_else(|| self.broken(&format!("answered {answer}")))
    }

    /// The kernel by one way, row by row.
    pub(super) fn kernel(&mut self, route: &str) -> Result<Vec<f64>, LabError> {
        let answer = self.ask(&json!({ "kernel": route }))?;
        let kernel: Option<Vec<f64>> = answer["kernel"]
            .as_array()
            .and_then(|entries| entries.iter().map(Value::as_f64).collect());
        kernel.ok_or_else(|| self.broken("answered without a kernel"))
    }

    /// CPU seconds of one kernel by one way, and of all it did for that.
    pub(super) fn find(&mut self, route: &str) -> Result<[f64; 2], LabError> {
        let answer = self.ask(&json!({ "run": route }))?;
        match answer["cpu"].as_f64() {
            Some(cpu) if cpu > 0.0 && cpu.is_finite() => {
                Ok([cpu, answer["used"].as_f64().unwrap_or(cpu)])
            }
            _ => Err(self.broken(&format!("answered {answer}"))),
        }
    }

    fn ask(&mut self, request: &Value) -> Result<Value, LabError> {
        // A program that ended cannot read; that it does not answer says so.
        let _ = writeln!(self.requests, "{request}").and_then(|()| self.requests.flush());
        self.answer()
    }

    fn answer(&mut self) -> Result<Value, LabError> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(length) if length > 0 => {}
            _ => return Err(self.broken("ended without an answer")),
        }
        serde_json::from_str(&line).map_err(|_| self.broken(&format!("answered {}", line.trim())))
    }

    fn broken(&self, how: &str) -> LabError {
        let what = format!("the program for {} {how}", self.name);
        refused(
            what,
            "what it printed above says why; another version of the package may do".to_owned(),
        )
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        // It holds nothing but its own memory.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
