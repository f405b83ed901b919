//! Types of a kernel's parameters, as far as its name in the manner of C++ says them.

/// How a parameter is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A floating point number.
    Float,
    /// A number with a sign.
    Signed,
    /// A number without one.
    Unsigned,
    /// An address.
    Address,
    /// Nothing is known but its size.
    Unknown,
}

/// The kinds of all parameters, or none where the name does not say them.
pub fn kinds(name: &str) -> Vec<Kind> {
    types(&demangled(name)).into_iter().map(kind).collect()
}

/// What a parameter leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// Nobody knows.
    #[default]
    Unknown,
    /// Integers, characters or truth values.
    Integers,
    /// `float`, also in vectors.
    Floats,
    /// `double`, also in vectors.
    Doubles,
}

/// Where the parameters are pointers through which the kernel may write: to what. Nothing where the name does not say the parameters.
pub fn written(name: &str) -> Vec<Option<Numbers>> {
    types(&demangled(name)).into_iter().map(written_through).collect()
}

fn written_through(ty: &str) -> Option<Numbers> {
    let ty = ["__restrict__", "__restrict", "const"].iter().fold(ty, |ty, word| ty.trim_end().trim_end_matches(word));
    let element = ty.trim_end().strip_suffix(['*', '&'])?.trim_end();
    if element.ends_with(" const") {
        return None;
    }
    // int4 and the like.
    let scalar = element.strip_suffix(['1', '2', '3', '4']).unwrap_or(element);
    let is_vector = scalar.len() < element.len();
    Some(match scalar {
        "float" => Numbers::Floats,
        "double" => Numbers::Doubles,
        "uchar" | "ushort" | "uint" | "ulong" | "longlong" | "ulonglong" if is_vector => Numbers::Integers,
        _ if matches!(kind(scalar), Kind::Signed | Kind::Unsigned) => Numbers::Integers,
        _ => Numbers::Unknown,
    })
}

/// What a parameter may have in it beside numbers and addresses of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Nothing.
    Nothing,
    /// Handles that C declares as numbers: textures, surfaces, conditions of graphs.
    Handles,
    /// It is the address of a function of the device's.
    Code,
}

/// What the parameters may have in them, or nothing where the name does not say the parameters.
pub fn holds(name: &str) -> Vec<Holds> {
    let one = |ty: &str| match kind(ty) {
        _ if ty.contains("(*)(") && !ty.contains(['<', '{']) => Holds::Code,
        Kind::Unknown => Holds::Handles,
        Kind::Unsigned if ty == "unsigned long long" => Holds::Handles,
        _ => Holds::Nothing,
    };
    types(&demangled(name)).into_iter().map(|ty| one(ty.strip_suffix(" const").unwrap_or(ty))).collect()
}

/// The name as C++ has it, or nothing.
pub fn demangled(name: &str) -> String {
    // What is longer belongs to templates that nobody reads.
    const LONGEST: usize = 4096;
    if !name.starts_with("_Z") || name.len() > LONGEST {
        return String::new();
    }
    names::cpp(name.as_bytes()).unwrap_or_default()
}

/// What stands between the last parentheses, at commas.
fn types(signature: &str) -> Vec<&str> {
    let Some(inside) = signature.strip_suffix(')') else { return Vec::new() };
    let mut depth = 0u32;
    let open = inside.rfind(|c| {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return true,
            '(' => depth -= 1,
            _ => {}
        }
        false
    });
    let Some(open) = open else { return Vec::new() };
    let mut depth = 0i32;
    let split = inside[open + 1..].split(|c| {
        match c {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    split.map(str::trim).filter(|ty| !ty.is_empty()).collect()
}

fn kind(ty: &str) -> Kind {
    let plain = ty.strip_suffix(" const").unwrap_or(ty);
    match plain {
        "float" | "double" => Kind::Float,
        "char" | "signed char" | "short" | "int" | "long" | "long long" => Kind::Signed,
        "bool" => Kind::Unsigned,
        _ if plain.ends_with(['*', '&']) || ty.ends_with("* const") || ty.ends_with("__restrict") => Kind::Address,
        _ if plain.starts_with("unsigned ") && !plain.contains(['(', '<']) => Kind::Unsigned,
        _ => Kind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_name() {
        use Kind::{Address, Float, Signed, Unknown, Unsigned};
        assert_eq!(kinds("_Z5scalePKfPfifdjxb"), [Address, Address, Signed, Float, Float, Unsigned, Signed, Unsigned]);
        // A structure, a template's argument, and a pointer to a function with parameters of its own.
        assert_eq!(kinds("_Z1fI3BoxEvT_PFvifEl"), [Unknown, Unknown, Signed]);
        assert_eq!(types("void f<(int)3>(std::map<int, char>, int (*)(float, int))").len(), 2);
        assert_eq!((kinds("plain"), kinds("_Z"), kinds("_Z1fv")), (vec![], vec![], vec![]));
        use Numbers::{Doubles, Floats, Integers};
        let to = |numbers| Some(numbers);
        // float*, const float*, int*, unsigned long long* __restrict__, double2*, uint4*, void*, Box*, float**, int.
        assert_eq!(
            written("_Z1fPfPKfPiPyP7double2P5uint4PvP3BoxPPfi"),
            [
                to(Floats),
                None,
                to(Integers),
                to(Integers),
                to(Doubles),
                to(Integers),
                to(Numbers::Unknown),
                to(Numbers::Unknown),
                to(Numbers::Unknown),
                None
            ]
        );
        assert_eq!((written("_Z5scaleIfEvPT_i"), written("plain")), (vec![to(Floats), None], vec![]));
        // A texture, numbers that are none, a structure that may have one, an address.
        use Holds::{Code, Handles, Nothing};
        assert_eq!(holds("_Z1fymmi3BoxPy"), [Handles, Nothing, Nothing, Nothing, Handles, Nothing]);
        assert_eq!((holds("_Z8pointersPiPFiiiE"), holds("plain")), (vec![Nothing, Code], vec![]));
    }
}
