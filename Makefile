# `make help` prints the targets: the words behind ## say what each does.
PREFIX ?= /usr/local
CARGO ?= cargo
HEADERS = cuda.h cudaGL.h cudaEGL.h cudaVDPAU.h cudaProfiler.h

all: build/lib/libcuda.so.1 cudart compilers management audit launcher toolchain ## builds the libraries, the headers and the launcher into build/

help: ## prints this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 16

# Cargo knows best what is out of date.
build/lib/libcuda.so.1: FORCE
	$(CARGO) build --release --locked
	mkdir -p build/lib build/include
	cmp -s target/release/libcuda.so $@ || install -m 755 target/release/libcuda.so $@
	ln -sf libcuda.so.1 build/lib/libcuda.so
	mkdir -p build/lib/driver
	ln -sf ../libcuda.so.1 build/lib/driver/libcuda.so.1
	install -m 644 $(HEADERS) build/include/

# The CUDA runtime on top: libcudart.so.12, libcudart.so.13, libcudart_static.a.
cudart: FORCE
	$(CARGO) build --release --locked -p doppel-cudart12 -p doppel-cudart13
	crates/cudart/link.sh target/release build/lib

# What programs compile with while they run: libnvrtc and libnvJitLink, .so.12 and .so.13.
compilers: FORCE
	$(CARGO) build --release --locked -p doppel-nvrtc12 -p doppel-nvrtc13 -p doppel-nvjitlink12 -p doppel-nvjitlink13
	crates/link-compilers.sh target/release build/lib

# What tells which devices there are: libnvidia-ml.so.1. The real one's functions have no version.
management: FORCE
	$(CARGO) build --release --locked -p doppel-nvml
	crates/link-shared.sh libnvidia-ml.so.1 crates/nvml/exports.txt target/release/libdoppel_nvml.a build/lib ""

# What puts them in the way of NVIDIA's.
audit: FORCE
	CARGO=$(CARGO) crates/audit/build.sh build/lib

# doppel, which runs programs on these libraries.
launcher: FORCE
	$(CARGO) build --release --locked -p doppel-launcher
	mkdir -p build/bin
	cmp -s target/release/doppel build/bin/doppel || install -m 755 target/release/doppel build/bin/doppel

# ptxas, nvcc, fatbinary and nvidia-smi, which stand for NVIDIA's.
TOOLS = ptxas nvcc fatbinary nvidia-smi
toolchain: FORCE
	$(CARGO) build --release --locked -p doppel-toolchain -p doppel-smi
	mkdir -p build/libexec
	for t in $(TOOLS); do cmp -s target/release/$$t build/libexec/$$t || install -m 755 target/release/$$t build/libexec/$$t; done
	mkdir -p build/libexec/driver
	ln -sf ../nvidia-smi build/libexec/driver/nvidia-smi

demo: all ## runs a real CUDA program on it and prints what it did
	LD_LIBRARY_PATH=build/lib "$$(tests/venv.sh python)" clients/bindings_streams.py

check: ## before a commit: format, clippy, unit tests, C tests of what changed (or TEST="pool ipc")
	tests/check.sh $(TEST)

test: $(if $(TEST),,all) ## runs every test; TEST=name: one step (tests/all.sh --list), one C test, or Rust tests by name
	tests/all.sh $(TEST)

stress: ## 64 threads for minutes, also under ThreadSanitizer
	tests/stress/run.sh 60

fuzz: all ## calls of every function at random, then random and damaged kernels in both engines, ten minutes each
	CALLS_SECONDS=600 $(CARGO) test --release --locked --test calls
	tests/ptx/random.sh --damaged 600
	tests/compilers/run.sh nvrtc 5000
	tests/compilers/run.sh nvjitlink 5000
	FUZZ_CASES=200000 $(CARGO) test --release --locked -p doppel-toolchain --test fuzz

bench: all ## measures, side by side with the limits of this machine
	benches/run.sh

header: ## writes all files that are generated: cuda.h, docs/STATUS.md, docs/STATUS-cudart.md, docs/STATUS-compilers.md, docs/STATUS-nvml.md, the table in docs/PTX.md
	$(CARGO) run --quiet --locked -p doppel-header
	crates/cudart/status.sh >docs/STATUS-cudart.md
	crates/real/status.sh >docs/STATUS-compilers.md
	crates/nvml/status.sh >docs/STATUS-nvml.md
	$(CARGO) xtask coverage

install: all ## into PREFIX (/usr/local) below DESTDIR
	mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/libexec $(DESTDIR)$(PREFIX)/include
	install -m 755 build/bin/doppel $(DESTDIR)$(PREFIX)/bin/doppel
	install -m 755 $(TOOLS:%=build/libexec/%) $(DESTDIR)$(PREFIX)/libexec/
	mkdir -p $(DESTDIR)$(PREFIX)/libexec/driver
	ln -sf ../nvidia-smi $(DESTDIR)$(PREFIX)/libexec/driver/nvidia-smi
	install -m 755 build/lib/libcuda.so.1 $(DESTDIR)$(PREFIX)/lib/libcuda.so.1
	ln -sf libcuda.so.1 $(DESTDIR)$(PREFIX)/lib/libcuda.so
	mkdir -p $(DESTDIR)$(PREFIX)/lib/driver
	ln -sf ../libcuda.so.1 $(DESTDIR)$(PREFIX)/lib/driver/libcuda.so.1
	install -m 755 build/lib/libcudart.so.12 build/lib/libcudart.so.13 $(DESTDIR)$(PREFIX)/lib/
	ln -sf libcudart.so.13 $(DESTDIR)$(PREFIX)/lib/libcudart.so
	install -m 755 build/lib/libdoppel-audit.so build/lib/libnvidia-ml.so.1 $(DESTDIR)$(PREFIX)/lib/
	install -m 644 build/lib/libcudart_static.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 build/lib/libnvrtc.so.12 build/lib/libnvrtc.so.13 build/lib/libnvJitLink.so.12 build/lib/libnvJitLink.so.13 $(DESTDIR)$(PREFIX)/lib/
	install -m 644 $(HEADERS) $(DESTDIR)$(PREFIX)/include/

clean: ## removes what was built
	$(CARGO) clean
	rm -rf build

FORCE:
.PHONY: all help check cudart compilers management audit launcher toolchain demo test stress fuzz bench header install clean FORCE
